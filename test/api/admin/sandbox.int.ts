import { expect } from 'chai';
import { SANDBOX_NUMBER } from '../../application/provisioning/workspace.js';
import { openAdmin, newCompany, newChannel } from './server.js';
import { opened } from '../../support/opened.js';

const PHONE = '+5511987654321';

describe('admin: plays in the sandbox', () => {
  let channel: string;

  const server = opened(openAdmin);
  before(async () => {
    const company = await newCompany(server);
    channel = await newChannel(server, company);
  });

  it('plays by name, for a channel or a number', async () => {
    const play = { from: PHONE, type: 'reaction', message_id: 'wamid.1', emoji: '👍', channel_uuid: channel };
    const played = await server.call('POST', '/sandbox/plays/message', play);
    expect(played.status).to.equal(200);
    expect(played.data['message_id']).to.match(/^wamid\./);
    const changed = await server.call('POST', '/sandbox/plays/number', {
      phone_number_id: SANDBOX_NUMBER.phoneNumberId,
      quality: 'YELLOW',
    });
    expect(changed.data).to.include({ quality: 'YELLOW' });
    expect(server.sandbox.phoneNumbers[0]?.qualityRating).to.equal('YELLOW');
  });

  it('says what is wrong, and which plays there are', async () => {
    const wrong = await server.call('POST', '/sandbox/plays/message', { from: PHONE, type: 'text' });
    expect([wrong.status, wrong.code]).to.deep.equal([422, 'validation_failed']);
    expect(JSON.stringify(wrong.body)).to.include('"path":"text"');
    const unknown = await server.call('POST', '/sandbox/plays/dance', {});
    expect([unknown.status, unknown.code]).to.deep.equal([404, 'not_found']);
    expect(JSON.stringify(unknown.body)).to.include('clear-faults');
    const move = { name: 'flash_sale', language: 'pt_BR', move: 'pause' };
    const illegal = await server.call('POST', '/sandbox/plays/template', move);
    expect([illegal.status, illegal.code]).to.deep.equal([422, 'template_state_invalid']);
  });

  it('has nothing to play where the provider is WhatsApp', async () => {
    const without = await openAdmin({ sandbox: 'off' });
    try {
      const off = await without.call('POST', '/sandbox/plays/info', {});
      expect([off.status, off.code]).to.deep.equal([422, 'sandbox_disabled']);
    } finally {
      await without.close();
    }
  });
});
