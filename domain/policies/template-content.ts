/** `content` of a template send, as in the API. */
export type TemplateContent = {
  readonly name: string;
  readonly language?: string;
  readonly parameters?: readonly string[];
  readonly named_parameters?: Readonly<Record<string, string>>;
  readonly header?: {
    readonly text?: string;
    readonly link?: string;
    /** A file that WhatsApp has already, instead of a link; its type goes with it. */
    readonly media_id?: string;
    readonly mime_type?: string;
    readonly filename?: string;
    readonly latitude?: number;
    readonly longitude?: number;
    readonly name?: string;
    readonly address?: string;
  };
  readonly buttons?: readonly { readonly index: number; readonly value: string }[];
};
