import { expect } from 'chai';
import express from 'express';
import { protectBrowsers } from '../../runtime/protect-browsers.js';
import { serve } from '../support/servers.js';

describe('headers that protect browsers', () => {
  async function headers(publicUrl: string, forwarded?: string): Promise<(string | null)[]> {
    const app = express().set('trust proxy', 1).use(protectBrowsers(publicUrl));
    const server = await serve(app);
    try {
      const sent: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-proto': forwarded };
      const answer = await fetch(`${server.origin}/nothing`, { headers: sent });
      return ['x-content-type-options', 'strict-transport-security'].map((name) => answer.headers.get(name));
    } finally {
      await server.close();
    }
  }

  it('are on every answer, and tie browsers to https where https serves them', async () => {
    expect(await headers('http://localhost:8080')).to.deep.equal(['nosniff', null]);
    expect(await headers('https://api.example.com')).to.deep.equal(['nosniff', 'max-age=31536000']);
    expect(await headers('http://localhost:8080', 'https')).to.deep.equal(['nosniff', 'max-age=31536000']);
  });
});
