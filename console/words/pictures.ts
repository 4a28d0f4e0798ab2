import type { Words } from './words.js';

export const pictures = {
  'pictures.title': ['Photos', 'Fotos'],
  'pictures.how': [
    'At most {most}. The first one is the main one: lists of the shop show it.',
    'No máximo {most}. A primeira é a principal: é ela que aparece nas listas da loja.',
  ],
  'pictures.add': ['Add photos', 'Adicionar fotos'],
  'pictures.drop': ['or drop them here', 'ou solte as fotos aqui'],
  'pictures.full': ['That is all that fits.', 'Não cabem mais fotos.'],
  'pictures.photo': ['Photo {number}: {name}', 'Foto {number}: {name}'],
  'pictures.main': ['Main', 'Principal'],
  'pictures.left': ['Move photo {number} to the left', 'Mover a foto {number} para a esquerda'],
  'pictures.right': ['Move photo {number} to the right', 'Mover a foto {number} para a direita'],
  'pictures.remove': ['Remove photo {number}', 'Remover a foto {number}'],
  'pictures.moved': [
    'Photo moved: it is now {number} of {count}.',
    'Foto movida: agora é a {number} de {count}.',
  ],
  'pictures.removed': ['Photo removed.', 'Foto removida.'],
  'pictures.uploading': ['Uploading photo {number}', 'Enviando a foto {number}'],
  'pictures.failed': ['Not uploaded', 'Não enviada'],
  'pictures.byAddress': ['Add by address', 'Adicionar por endereço'],
  'pictures.address': ['Address of a photo', 'Endereço da foto'],
  'pictures.addressHow': [
    'Public http or https address of a JPEG, PNG, WebP or GIF file of at most 10 MB. The shop keeps a copy of its own.',
    'Endereço público http ou https de um arquivo JPEG, PNG, WebP ou GIF de até 10 MB. A loja guarda uma cópia própria.',
  ],
  'pictures.addressBad': [
    'Photo {number} can not be fetched as a picture. Open its address in a private window: it must show the picture itself.',
    'Não foi possível buscar a foto {number}. Abra o endereço em uma janela anônima: deve aparecer a própria imagem.',
  ],
  'pictures.gone': [
    'Photo {number} is no longer kept. Remove it, and add it again.',
    'A foto {number} não está mais guardada. Remova e adicione de novo.',
  ],
  'pictures.refused': ['Not added:', 'Não adicionadas:'],
  'pictures.refused.empty': ['the file is empty.', 'o arquivo está vazio.'],
  'pictures.refused.format': [
    'no picture that can be read. Save it as JPEG, PNG, WebP or GIF, and add it again.',
    'não é uma imagem que se possa ler. Salve como JPEG, PNG, WebP ou GIF e adicione de novo.',
  ],
  'pictures.refused.damaged': [
    'the picture is damaged or incomplete. Open it, save it anew, and add that.',
    'a imagem está danificada ou incompleta. Abra, salve de novo e adicione a nova.',
  ],
  'pictures.refused.pixels': [
    'the picture has too many pixels. Make it smaller, and add it again.',
    'a imagem tem pixels demais. Diminua e adicione de novo.',
  ],
  'pictures.refused.size': [
    'the picture is larger than 10 MB. Make it smaller, and add it again.',
    'a imagem passa de 10 MB. Diminua e adicione de novo.',
  ],
  'pictures.refused.many': [
    'a product has at most 10 photos. Remove another one first.',
    'um produto tem no máximo 10 fotos. Remova outra antes.',
  ],
  'pictures.refused.twice': ['the product has this photo already.', 'o produto já tem esta foto.'],
} as const satisfies Words;
