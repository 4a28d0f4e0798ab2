import type { Words } from './words.js';

/** Sign-in at an identity provider. */
export const oidc = {
  'oidc.signIn': ['Sign in with {name}', 'Entrar com {name}'],
  'oidc.otherTab': ['Sign in with {name} in another tab', 'Entrar com {name} em outra aba'],
  'oidc.otherTabHow': [
    'This tab keeps what you typed, and continues once you have signed in there. Or sign in here with e-mail and password.',
    'Esta aba guarda o que você digitou e continua assim que você entrar lá. Ou entre aqui com e-mail e senha.',
  ],
  'oidc.orPassword': ['or with e-mail and password', 'ou com e-mail e senha'],
  'oidc.accept': ['Continue with {name}', 'Continuar com {name}'],
  'oidc.acceptHow': [
    'This link works once. Choose how you sign in from now on: with your account of {name}, or with a password of your own.',
    'Este link funciona uma vez. Escolha como você vai entrar a partir de agora: com sua conta {name} ou com uma senha própria.',
  ],
  'oidc.acceptTitle': ['Accept the invitation', 'Aceitar o convite'],
  'oidc.orNewPassword': ['or choose a password', 'ou crie uma senha'],
  'oidc.confirmTitle': ['Confirm that it is you', 'Confirme que é você'],
  'oidc.confirmWhy': [
    'What you are about to do needs to know that it is you. It then counts for ten minutes.',
    'Para isto é preciso confirmar que é você. Depois vale por dez minutos.',
  ],
  'oidc.confirm': ['Confirm with {name}', 'Confirmar com {name}'],
  'oidc.confirmHow': [
    'It opens in a new tab. Sign in there again, then come back here: this page continues by itself.',
    'Abre em uma nova aba. Entre lá de novo e volte para cá: a página continua sozinha.',
  ],
  'oidc.confirming': ['To {name} …', 'Abrindo {name} …'],
  'oidc.confirmed': ['Confirmed', 'Confirmado'],
  'oidc.confirmedHow': [
    'Close this tab and continue where you were.',
    'Feche esta aba e continue de onde parou.',
  ],
  'oidc.toConsole': ['Open the console here', 'Abrir o console aqui'],
  'oidc.account': ['Account of {name}', 'Conta {name}'],
  'oidc.since': ['Connected on {time}.', 'Conectada em {time}.'],
  'oidc.what': [
    'Connect it, and you can sign in there instead of typing your password here.',
    'Conecte a conta para entrar por ela, sem digitar sua senha aqui.',
  ],
  'oidc.connect': ['Connect', 'Conectar'],
  'oidc.change': ['Connect another account', 'Conectar outra conta'],
  'oidc.disconnect': ['Disconnect', 'Desconectar'],
  'oidc.noPassword': [
    'You have no password here: you sign in with {name}. An owner of your company can make you a new link if you want one.',
    'Você não tem senha aqui: entra com {name}. Se quiser uma, peça um novo link a um responsável da sua empresa.',
  ],
  'way.password': ['with password', 'com senha'],
  'way.link': ['by a link', 'por um link'],
  'way.oidc': ['with {name}', 'com {name}'],
  'refusal.oidc_answer_invalid': [
    'This sign-in was used already, took longer than ten minutes, or was begun in another browser. Start again.',
    'Este acesso já foi usado, demorou mais de dez minutos ou começou em outro navegador. Comece de novo.',
  ],
  'refusal.oidc_refused': [
    'You were not signed in there. Start again, and agree when you are asked.',
    'O acesso não foi autorizado lá. Comece de novo e autorize quando for perguntado.',
  ],
  'refusal.oidc_unreachable': [
    'The sign-in service of your company does not answer at the moment. Try again in a minute, or use your password.',
    'O serviço de acesso da sua empresa não responde no momento. Tente de novo em um minuto ou use sua senha.',
  ],
  'refusal.oidc_subject_unknown': [
    'Nobody who may sign in here has this account. Open your invitation first, or sign in with your password and connect the account under My account.',
    'Esta conta não é de ninguém com acesso aqui. Abra primeiro o seu convite ou entre com sua senha e conecte a conta em Minha conta.',
  ],
  'refusal.oidc_subject_taken': [
    'Somebody else signs in with this account. Choose another one there.',
    'Outra pessoa já entra com esta conta. Escolha outra.',
  ],
  'refusal.oidc_not_shown': [
    'You were not asked again who you are, so this does not count. Ask an owner of your company for a new link, and set a password by it.',
    'Você não precisou se identificar de novo, por isso não vale. Peça um novo link a um responsável da sua empresa e crie uma senha.',
  ],
  'refusal.oidc_only_way': [
    'Without a password you could not sign in any more. Ask an owner of your company for a new link, and set a password by it.',
    'Sem senha você não conseguiria mais entrar. Peça um novo link a um responsável da sua empresa e crie uma senha.',
  ],
} as const satisfies Words;
