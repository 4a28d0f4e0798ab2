import type { Words } from './words.js';

export const settings = {
  'nav.settings': ['Settings', 'Configurações'],
  'settings.what': [
    'What holds for all of {name}. Every change is in the audit, with who made it.',
    'O que vale para toda a {name}. Cada mudança fica na auditoria, com quem a fez.',
  ],
  'settings.off': ['(at first: off)', '(no início: desligado)'],
  'settings.first': ['At first: {value}. 0: none is sent.', 'No início: {value}. 0: nada é enviado.'],
  'settings.privacy': ['What viewers see of customers', 'O que a Consulta vê dos clientes'],
  'settings.privacyHow': [
    'People with the role viewer see names, but neither phones, e-mails, addresses nor texts. If you allow it, they may show those of one contact, conversation, order or message for ten minutes, for a reason that is recorded: at most 20 an hour and 60 a day. What is shown already stays until its time is over.',
    'Quem tem o papel Consulta vê nomes, mas não telefones, e-mails, endereços nem textos. Se você permitir, pode mostrar os de um contato, conversa, pedido ou mensagem por dez minutos, por um motivo que fica registrado: no máximo 20 por hora e 60 por dia. O que já está visível continua até o fim do seu tempo.',
  ],
  'settings.reveal': [
    'Viewers may show one customer at a time',
    'A Consulta pode mostrar um cliente por vez',
  ],
  'settings.revealed': ['What was shown so far', 'O que já foi mostrado'],
  'settings.savePrivacy': ['Save what viewers may', 'Salvar o que a Consulta pode'],
  'settings.marketing': ['Marketing', 'Marketing'],
  'settings.marketingHow': [
    'Limits of template messages, for systems and people alike. They hold from the next message on, also for those that wait. While a customer’s 24 hours are open, messages to them neither count nor are limited.',
    'Limites das mensagens de modelo, para sistemas e pessoas. Valem a partir da próxima mensagem, também para as que esperam. Enquanto as 24 horas de um cliente estão abertas, as mensagens a ele não contam nem são limitadas.',
  ],
  'settings.enabled': ['Marketing templates may be sent', 'Modelos de marketing podem ser enviados'],
  'settings.perContactDay': ['To one customer within 24 hours, at most', 'Máximo por cliente em 24 horas'],
  'settings.perContactWeek': [
    'To one customer within seven days, at most',
    'Máximo por cliente em sete dias',
  ],
  'settings.perDay': [
    'Marketing in all within 24 hours, at most',
    'Máximo de marketing no total em 24 horas',
  ],
  'settings.saveMarketing': ['Save limits', 'Salvar limites'],
  'settings.words': ['Words of customers', 'Palavras dos clientes'],
  'settings.wordsHow': [
    'A customer’s whole message must be the word; capitals and accents do not matter. Separate words by commas. At first there are only the ones that always hold.',
    'A mensagem inteira do cliente precisa ser a palavra; maiúsculas e acentos não importam. Separe as palavras por vírgula. No início há só as que sempre valem.',
  ],
  'settings.stop': ['Own words that stop marketing', 'Palavras próprias que param o marketing'],
  'settings.stopHow': ['PARAR and STOP always do.', 'PARAR e STOP sempre param.'],
  'settings.resume': ['Own words that allow it again', 'Palavras próprias que liberam de novo'],
  'settings.resumeHow': ['VOLTAR and START always do.', 'VOLTAR e START sempre liberam.'],
  'settings.person': ['Own words that ask for a person', 'Palavras próprias que chamam uma pessoa'],
  'settings.personHow': [
    'ATENDENTE and HUMANO always do. They end the flow that runs.',
    'ATENDENTE e HUMANO sempre chamam. Encerram o fluxo em andamento.',
  ],
  'settings.saveWords': ['Save words', 'Salvar palavras'],
  'settings.company': ['The company', 'A empresa'],
  'settings.name': ['Name', 'Nome'],
  'settings.timezone': ['Time zone', 'Fuso horário'],
  'settings.timezoneHow': [
    'Flows wait until times of it. Name and time zone were chosen when the company was made, and stay.',
    'Os fluxos esperam por horários dele. Nome e fuso foram escolhidos na criação da empresa e não mudam.',
  ],
  'settings.elsewhere': ['Other settings', 'Outras configurações'],
  'settings.ofShop': [
    'name, opening, delivery, payment and limits of the shop',
    'nome, abertura, entrega, pagamento e limites da loja',
  ],
  'settings.ofChannels': ['pace and stop of each number', 'ritmo e parada de cada número'],
  'settings.ofWebhooks': ['where events are sent', 'para onde os eventos são enviados'],
  'settings.ofKeys': ['keys, secrets and the events feed', 'chaves, segredos e o feed de eventos'],
  'settings.ofPeople': [
    'who may sign in; revoking access ends the sessions of a person',
    'quem pode entrar; revogar o acesso encerra as sessões da pessoa',
  ],
  'settings.ofAccount': [
    'your password, second factor and sessions',
    'sua senha, verificação em duas etapas e sessões',
  ],
  'settings.ofOverview': ['who is signed in, and ending sessions', 'quem está conectado e encerrar sessões'],
} as const satisfies Words;
