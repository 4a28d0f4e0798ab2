import type { Request, Response } from 'express';

/** A year, by RFC 6797. Browsers heed it only where it came over https. */
const ONLY_HTTPS = 'max-age=31536000';

/** On every answer: none is what its type does not say, and where https serves it, only https does from then on. */
export function protectBrowsers(publicUrl: string) {
  const encrypted = publicUrl.startsWith('https:');
  return (req: Request, res: Response, next: () => void): void => {
    res.setHeader('X-Content-Type-Options', 'nosniff');
    if (encrypted || req.secure) res.setHeader('Strict-Transport-Security', ONLY_HTTPS);
    next();
  };
}
