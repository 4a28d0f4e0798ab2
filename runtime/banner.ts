/** The output for a newcomer: the addresses and one command to copy. */
import type { Running } from './start.js';

/** The parts of a running product that the banner names. */
type Started = Pick<
  Running,
  'url' | 'credentials' | 'credentialsPath' | 'madeDemo' | 'storeSlug' | 'consoleUrl' | 'roles'
> & { readonly sandbox: object | null };

export function banner(running: Started): string {
  const { url, credentials, credentialsPath, sandbox, madeDemo, storeSlug, consoleUrl, roles } = running;
  if (!roles.has('api'))
    return `Recado is up: ${[...roles].join(', ')}. Health and metrics at ${url}/readyz and ${url}/metrics\n`;
  const lines = [`Recado is up at ${url}`, ''];
  if (madeDemo)
    lines.push('  A demo workspace was made: company, API key, sandbox channel, templates, store.', '');
  lines.push(
    `  API            ${url}/api/v1`,
    `  Documentation  ${url}/docs`,
    ...(consoleUrl === null ? [] : [`  Console        ${consoleUrl}`]),
    ...(storeSlug === null ? [] : [`  Store page     ${url}/loja/${storeSlug}`]),
    ...(credentialsPath === null ? [] : [`  Credentials    ${credentialsPath}`]),
    `  WhatsApp       ${sandbox ? 'built-in sandbox: nothing leaves this machine' : 'as set by WHATSAPP_API_URL'}`,
    '',
  );
  if (credentials['api_key'] && credentialsPath !== null) {
    lines.push(
      '  Send a first message:',
      '',
      `  curl -i ${url}/api/v1/messages \\`,
      `    -H "Authorization: Bearer $(node -p 'require("${absolute(credentialsPath)}").api_key')" \\`,
      `    -H "Idempotency-Key: first-$(date +%s)" -H "Content-Type: application/json" \\`,
      `    -d '{"recipient":{"phone":"+5511987654321"},"type":"text","content":{"text":"Olá do Recado!"}}'`,
      '',
    );
  } else {
    lines.push('  Set up a company with: npm run cli -- companies create --name "My company"', '');
  }
  return lines.join('\n');
}

/** `require` would read a relative path as a package name. */
const absolute = (path: string): string =>
  path.startsWith('/') || path.startsWith('./') ? path : `./${path}`;
