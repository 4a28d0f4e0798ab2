import type { Request, Response } from 'express';

/** A year, by RFC 6797. Browsers respect it only on https. */
const ONLY_HTTPS = 'max-age=31536000';

/** Headers of every response: browsers must not guess its type, and once served by https, must use only https. */
export function protectBrowsers(publicUrl: string) {
  const encrypted = publicUrl.startsWith('https:');
  return (req: Request, res: Response, next: () => void): void => {
    res.setHeader('X-Content-Type-Options', 'nosniff');
    if (encrypted || req.secure) res.setHeader('Strict-Transport-Security', ONLY_HTTPS);
    next();
  };
}
