/** Why a line of a table can't be imported, by the codes of `cli/product-table`; `{said}` is what the cell says. */
import type { Words } from './words.js';

export const productImport = {
  'cell.amount_ambiguous': [
    '{said} could mean thousands or decimals. Write two decimals, such as 1234,00.',
    '{said} pode ser milhar ou centavos. Escreva com dois decimais, como 1234,00.',
  ],
  'cell.amount_invalid': [
    '{said} is no amount such as 49,90 or 1.234,56.',
    '{said} não é um valor como 49,90 ou 1.234,56.',
  ],
  'cell.code_rounded': [
    '{said} was rounded by a spreadsheet. Format the column as text and export it again.',
    '{said} foi arredondado pela planilha. Formate a coluna como texto e exporte de novo.',
  ],
  'cell.handle_missing': [
    'The line has neither a handle nor a code.',
    'A linha não tem identificador nem código.',
  ],
  'cell.handle_repeated': [
    'Lines of {said} are further up already. Put the lines of a product one below the other.',
    'Já há linhas de {said} mais acima. Deixe as linhas de um produto uma abaixo da outra.',
  ],
  'cell.measure_invalid': ['{said} is no number such as 0,25.', '{said} não é um número como 0,25.'],
  'cell.options_missing': [
    'Several lines are one product, and none says by which options they differ.',
    'Várias linhas são o mesmo produto, e nenhuma diz em que opções elas diferem.',
  ],
  'cell.stock_invalid': [
    '{said} is no whole number of units.',
    '{said} não é um número inteiro de unidades.',
  ],
  'cell.yes_no_invalid': ['{said} is neither yes nor no.', '{said} não é sim nem não.'],
} as const satisfies Words;
