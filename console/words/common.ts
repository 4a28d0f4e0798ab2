import type { Words } from './words.js';

export const common = {
  'app.title': ['Recado console', 'Console do Recado'],
  'app.skip': ['Skip to content', 'Ir para o conteúdo'],
  'nav.overview': ['Overview', 'Visão geral'],
  'nav.inbox': ['Inbox', 'Conversas'],
  'nav.orders': ['Orders', 'Pedidos'],
  'nav.products': ['Products', 'Produtos'],
  'nav.shop': ['Shop', 'Loja'],
  'nav.channels': ['Channels', 'Canais'],
  'nav.templates': ['Templates', 'Modelos'],
  'nav.webhooks': ['Webhooks', 'Webhooks'],
  'nav.label': ['Sections', 'Seções'],
  'nav.company': ['Company', 'Empresa'],
  'nav.signOut': ['Sign out', 'Sair'],
  'nav.language': ['Português', 'English'],
  'sign.title': ['Sign in', 'Entrar'],
  'sign.how': [
    'Run this command on the server, and open the address that it prints:',
    'Rode este comando no servidor e abra o endereço que ele mostra:',
  ],
  'sign.working': ['Signing in …', 'Entrando …'],
  'load.working': ['Loading …', 'Carregando …'],
  'load.more': ['Load more', 'Carregar mais'],
  'error.title': ['That did not work', 'Não funcionou'],
  'error.retry': ['Try again', 'Tentar de novo'],
  'error.unreachable': [
    'The server does not answer. Check your connection.',
    'O servidor não responde. Verifique a conexão.',
  ],
  'error.outdated': [
    'This part of the page could not be fetched. If a new release was installed meanwhile, loading the page again is enough.',
    'Esta parte da página não pôde ser carregada. Se uma versão nova foi instalada, basta recarregar a página.',
  ],
  'error.request': ['Request {id}', 'Requisição {id}'],
  'none.companies': [
    'There is no company yet. Create one: recado companies create --name "My company"',
    'Ainda não há empresa. Crie uma: recado companies create --name "Minha empresa"',
  ],
} as const satisfies Words;
