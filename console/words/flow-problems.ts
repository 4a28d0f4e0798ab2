/** What is wrong with a flow, by the reasons of `domain/flow/problem.ts`. Others are shown as the API explains them. */
import type { Words } from './words.js';

export const flowProblems = {
  'problem.definition_too_large': [
    'The flow has {size} bytes; at most {most} are allowed. Split it with “start a flow”.',
    'O fluxo tem {size} bytes; o máximo é {most}. Divida com “iniciar fluxo”.',
  ],
  'problem.too_many_blocks': [
    'There are {count} blocks; at most {most} are allowed. Split the flow with “start a flow”.',
    'São {count} blocos; o máximo é {most}. Divida o fluxo com “iniciar fluxo”.',
  ],
  'problem.block_id_invalid': [
    'The id of a block has 1 to 64 of a-z, 0-9 and _.',
    'O id de um bloco tem de 1 a 64 caracteres: a-z, 0-9 e _.',
  ],
  'problem.block_type_unknown': ['“{type}” is no kind of block.', 'Não existe o tipo de bloco “{type}”.'],
  'problem.field_unknown': ['There is no such field here.', 'Este campo não existe aqui.'],
  'problem.field_missing': ['This field is missing.', 'Falta este campo.'],
  'problem.field_empty': ['Fill in this field.', 'Preencha este campo.'],
  'problem.field_too_long': ['At most {limit} are allowed.', 'O máximo é {limit}.'],
  'problem.field_too_small': ['At least {limit} is needed.', 'O mínimo é {limit}.'],
  'problem.field_too_large': ['At most {limit} is allowed.', 'O máximo é {limit}.'],
  'problem.field_of_other_type': ['Expected here: {type}.', 'Aqui vai: {type}.'],
  'problem.field_not_allowed': ['Allowed: {allowed}.', 'Valores possíveis: {allowed}.'],
  'problem.field_repeated': ['A value is there twice.', 'Há um valor repetido.'],
  'problem.field_no_block_id': [
    'Choose a block: its id has 1 to 64 of a-z, 0-9 and _.',
    'Escolha um bloco: o id tem de 1 a 64 caracteres: a-z, 0-9 e _.',
  ],
  'problem.field_no_name': [
    'A name begins with a letter or _ and has at most 64 letters without accents, digits and _.',
    'Um nome começa com letra ou _ e tem no máximo 64 letras sem acento, números e _.',
  ],
  'problem.field_no_duration': [
    'Write a duration such as 30s, 10m, 2h, 3d or 1w.',
    'Escreva uma duração como 30s, 10m, 2h, 3d ou 1w (semana).',
  ],
  'problem.field_no_time': ['Write a time such as 09:30.', 'Escreva um horário como 09:30.'],
  'problem.field_no_uuid': ['Enter a whole uuid.', 'Informe um uuid completo.'],
  'problem.field_invalid': ['This value is not allowed here.', 'Este valor não é aceito aqui.'],
  'problem.start_missing': [
    'The flow starts at “{start}”, and there is no such block.',
    'O fluxo começa em “{start}”, e esse bloco não existe.',
  ],
  'problem.keyword_repeated': [
    '“{word}” reads like “{before}”, which starts the flow already.',
    '“{word}” é o mesmo que “{before}”, que já inicia o fluxo.',
  ],
  'problem.keyword_taken': [
    '“{word}” starts the flow “{name}” too: the flow that was made first begins.',
    '“{word}” também inicia o fluxo “{name}”: começa o que foi criado primeiro.',
  ],
  'problem.edge_dangling': [
    'Leads to “{to}”, and there is no such block.',
    'Leva a “{to}”, e esse bloco não existe.',
  ],
  'problem.block_unreachable': ['No way leads to this block.', 'Nenhum caminho leva a este bloco.'],
  'problem.cycle_without_wait': [
    '{way} would run for ever: put a question or a wait into it.',
    '{way} rodaria para sempre: ponha uma pergunta ou uma espera no meio.',
  ],
  'problem.flow_cycle_without_wait': [
    'The flows {way} would start each other for ever: put a question or a wait before one of them starts the next.',
    'Os fluxos {way} iniciariam um ao outro para sempre: ponha uma pergunta ou uma espera antes de um deles iniciar o próximo.',
  ],
  'problem.wait_missing': [
    'Say how long to wait, until when, or both.',
    'Diga quanto tempo esperar, até quando, ou os dois.',
  ],
  'problem.wait_too_long': ['A wait takes at most eight weeks.', 'Uma espera dura no máximo oito semanas.'],
  'problem.audio_caption': ['A sound has no caption.', 'Um áudio não tem legenda.'],
  'problem.choices_are_the_answer': [
    'The choices are the answer: leave “Accept” out.',
    'As opções já são a resposta: deixe “Aceitar” sem valor.',
  ],
  'problem.choice_ids_equal': ['Two choices have the same id.', 'Duas opções têm o mesmo id.'],
  'problem.choice_titles_equal': ['Two choices have the same title.', 'Duas opções têm o mesmo título.'],
  'problem.button_title_too_long': [
    'Up to three choices are buttons, and a button has at most 20 characters.',
    'Até três opções são botões, e um botão tem no máximo 20 caracteres.',
  ],
  'problem.button_second_line': [
    'Up to three choices are buttons, which have no second line.',
    'Até três opções são botões, que não têm segunda linha.',
  ],
  'problem.timeout_missing': [
    'It is never reached: the question waits without end. Say how long it waits.',
    'Nunca acontece: a pergunta espera sem fim. Diga quanto tempo ela espera.',
  ],
  'problem.comparison_takes_no_value': [
    '“{is}” looks at the value alone: leave “With” out.',
    '“{is}” olha só para o valor: deixe “Com” em branco.',
  ],
  'problem.comparison_needs_value': [
    '“{is}” needs a value to compare with.',
    '“{is}” precisa de um valor para comparar.',
  ],
  'problem.pattern_invalid': [
    'The pattern can’t be read (RE2 syntax): {why}.',
    'O padrão não pode ser lido (sintaxe RE2): {why}.',
  ],
  'problem.url_scheme': [
    'The address begins with https:// or http://.',
    'O endereço começa com https:// ou http://.',
  ],
  'problem.url_host': [
    'Write the host out: neither a placeholder nor credentials in it.',
    'Escreva o servidor por extenso: sem valores inseridos e sem senha.',
  ],
  'problem.header_value_invalid': [
    'The value has characters that a header can’t carry. Put it into the body.',
    'O valor tem caracteres que um cabeçalho não aceita. Coloque no corpo.',
  ],
  'problem.header_invalid': ['This is no valid header.', 'Este cabeçalho não é válido.'],
  'problem.header_set_by_service': [
    'This header is set by the service: remove it.',
    'Este cabeçalho é definido pelo serviço: remova.',
  ],
  'problem.get_with_body': ['A GET has no body.', 'Um GET não tem corpo.'],
  'problem.placeholder_open': [
    '“{{” is opened and never closed with “}}”.',
    '“{{” foi aberto e não foi fechado com “}}”.',
  ],
  'problem.placeholder_names_no_field': [
    '{placeholder} names no field.',
    '{placeholder} não diz qual campo.',
  ],
  'problem.placeholder_unknown_of_contact': [
    '{placeholder} is not known of a contact. There are contact.name, contact.phone, contact.email, contact.external_id and contact.field.<key>.',
    'Um contato não tem {placeholder}. Existem contact.name, contact.phone, contact.email, contact.external_id e contact.field.<chave>.',
  ],
  'problem.placeholder_unknown': [
    '{placeholder} begins with none of vars., answer., contact., contact.field. and callback.',
    '{placeholder} não começa com vars., answer., contact., contact.field. ou callback.',
  ],
  'problem.callback_unknown': [
    '“{name}” is no block of this flow that waits for a call-back.',
    '“{name}” não é um bloco deste fluxo que espera uma chamada.',
  ],
  'problem.answer_unknown': [
    'No question of this flow keeps its answer as “{name}”: the value is always empty.',
    'Nenhuma pergunta deste fluxo guarda a resposta como “{name}”: o valor fica sempre vazio.',
  ],
  'problem.template_not_found': [
    'The company has no template “{name}”. Read the templates from WhatsApp, or choose another one.',
    'A empresa não tem o modelo “{name}”. Atualize os modelos do WhatsApp ou escolha outro.',
  ],
  'problem.template_language_invalid': [
    'Choose one of the languages that the template “{name}” has.',
    'Escolha um dos idiomas que o modelo “{name}” tem.',
  ],
  'problem.template_not_approved': [
    'WhatsApp has not approved the template “{name}”, or has paused it.',
    'O WhatsApp não aprovou o modelo “{name}” ou o pausou.',
  ],
  'problem.flow_unknown': ['The company has no such flow.', 'A empresa não tem esse fluxo.'],
  'problem.flow_not_active': [
    'The flow “{name}” is a draft: publish it first.',
    'O fluxo “{name}” é um rascunho: publique primeiro.',
  ],
  'problem.agent_unknown': ['The company has no such person.', 'A empresa não tem essa pessoa.'],
  'problem.group_unknown': ['The company has no such group.', 'A empresa não tem esse grupo.'],
  'valueType.string': ['a text', 'um texto'],
  'valueType.boolean': ['true or false', 'verdadeiro ou falso'],
  'valueType.integer': ['a whole number', 'um número inteiro'],
  'valueType.array': ['a list', 'uma lista'],
  'valueType.object': ['an object', 'um objeto'],
  'valueType.null': ['nothing', 'nada'],
} as const satisfies Words;
