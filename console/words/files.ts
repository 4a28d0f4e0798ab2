import type { Words } from './words.js';

export const files = {
  'file.header': ['With {name}', 'Com {name}'],
  'file.map': ['On the map: {place}', 'No mapa: {place}'],
  'file.picture': ['Picture: {caption}', 'Imagem: {caption}'],
  'file.pending': ['{kind}: being fetched from WhatsApp …', '{kind}: buscando no WhatsApp …'],
  'file.failed': ['{kind} without its file.', '{kind} sem o arquivo.'],
  'file.again': ['Ask WhatsApp again', 'Pedir de novo ao WhatsApp'],
  'file.attach': ['Attach a file', 'Anexar arquivo'],
  'file.remove': ['Remove the file', 'Tirar o arquivo'],
  'file.caption': ['Text under the file', 'Texto abaixo do arquivo'],
  'file.noCaption': [
    'WhatsApp shows no text under a sound.',
    'O WhatsApp não mostra texto abaixo de um áudio.',
  ],
  'file.drop': ['Drop the file to attach it', 'Solte o arquivo para anexar'],
  'file.uploading': ['Uploading the file', 'Enviando o arquivo'],
  'file.refused.type': [
    'WhatsApp does not take files of this type. It takes pictures, MP4 videos, sounds, PDF, Office, text and ZIP.',
    'O WhatsApp não aceita este tipo de arquivo. Aceita imagens, vídeos MP4, áudios, PDF, Office, texto e ZIP.',
  ],
  'file.refused.size': [
    'The file is too large: WhatsApp takes at most {limit} of this kind.',
    'O arquivo é grande demais: o WhatsApp aceita até {limit} deste tipo.',
  ],
  'file.refused.empty': ['The file is empty.', 'O arquivo está vazio.'],
  'file.refused.picture': [
    'This picture can not be read. Save it as JPEG or PNG, and attach it again.',
    'Não foi possível ler esta imagem. Salve como JPEG ou PNG e anexe de novo.',
  ],
  'refusal.media_expired': ['WhatsApp no longer has it.', 'O WhatsApp não tem mais o arquivo.'],
  'refusal.media_too_large': ['It is larger than WhatsApp allows.', 'É maior do que o WhatsApp permite.'],
  'refusal.media_corrupt': [
    'What WhatsApp sent is not the file that was announced.',
    'O WhatsApp enviou algo diferente do arquivo anunciado.',
  ],
  'refusal.media_empty': ['The file is empty.', 'O arquivo está vazio.'],
  'refusal.media_unavailable': ['WhatsApp did not hand it out.', 'O WhatsApp não entregou o arquivo.'],
} as const satisfies Words;
