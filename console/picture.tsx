import { useState } from 'preact/hooks';

const HOSTED = /\/store-images\/[0-9a-f]{64}(?:\.[a-z]{3,4})?$/;

/** The path of a hosted picture; null for every other address: nothing of other hosts is loaded. */
function ownAddress(url: string | null | undefined): string | null {
  const [found] = HOSTED.exec(url ?? '') ?? [];
  return found ?? null;
}

/** A picture that this server has made anew; the first letter of the name where there is none. */
export function Picture({ url, name }: { readonly url: string | null | undefined; readonly name: string }) {
  const [broken, setBroken] = useState(false);
  const address = ownAddress(url);
  return address === null || broken ? (
    <span class="picture letter" aria-hidden="true">
      {name.trim().slice(0, 1).toUpperCase()}
    </span>
  ) : (
    <img
      class="picture"
      src={address}
      alt=""
      loading="lazy"
      width={44}
      height={44}
      onError={() => setBroken(true)}
    />
  );
}
