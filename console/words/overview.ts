import type { Words } from './words.js';

export const overview = {
  'overview.needs': ['What needs you', 'O que precisa de você'],
  'overview.fine': [
    'Nothing. Every check of the server is fine.',
    'Nada. Todas as verificações do servidor estão em ordem.',
  ],
  'overview.todo': ['What to do', 'O que fazer'],
  'overview.server': ['Server', 'Servidor'],
  'overview.version': [
    'Version {version}, API {api}, since {since}',
    'Versão {version}, API {api}, desde {since}',
  ],
  'overview.counts': ['In numbers', 'Em números'],
  'overview.channels': ['Channels', 'Canais'],
  'overview.noChannels': [
    'No WhatsApp number is connected yet.',
    'Nenhum número de WhatsApp está conectado ainda.',
  ],
  'overview.status.warn': ['warning', 'aviso'],
  'overview.status.fail': ['failed', 'falha'],
  'channel.status': ['Status', 'Situação'],
  'channel.quality': ['Quality', 'Qualidade'],
  'channel.limit': ['Limit', 'Limite'],
  'channel.name': ['Number', 'Número'],
} as const satisfies Words;
