/** Possible changes of one syntax node. Each mutator returns texts that replace the node. */
import ts from 'typescript';

export interface Change {
  readonly mutator: string;
  /** The node that is replaced: the node itself or a part of it. */
  readonly node: ts.Node;
  /** Empty for a block or a clause: its statements are removed. */
  readonly text: string;
}

type Mutator = (node: ts.Node) => readonly Change[];

const K = ts.SyntaxKind;

const BOUNDARY: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [K.LessThanToken, '<='],
  [K.LessThanEqualsToken, '<'],
  [K.GreaterThanToken, '>='],
  [K.GreaterThanEqualsToken, '>'],
]);
const NEGATED: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [K.LessThanToken, '>='],
  [K.LessThanEqualsToken, '>'],
  [K.GreaterThanToken, '<='],
  [K.GreaterThanEqualsToken, '<'],
  [K.EqualsEqualsEqualsToken, '!=='],
  [K.ExclamationEqualsEqualsToken, '==='],
]);
const LOGICAL: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [K.AmpersandAmpersandToken, '||'],
  [K.BarBarToken, '&&'],
  [K.QuestionQuestionToken, '&&'],
]);
const ARITHMETIC: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [K.PlusToken, '-'],
  [K.MinusToken, '+'],
  [K.AsteriskToken, '/'],
  [K.SlashToken, '*'],
  [K.PercentToken, '*'],
]);
const ASSIGNMENT: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [K.PlusEqualsToken, '-='],
  [K.MinusEqualsToken, '+='],
  [K.AsteriskEqualsToken, '/='],
  [K.SlashEqualsToken, '*='],
  [K.BarBarEqualsToken, '&&='],
  [K.AmpersandAmpersandEqualsToken, '||='],
  [K.QuestionQuestionEqualsToken, '&&='],
]);
/** Null: the call is removed, and its receiver takes the place of its result. */
const METHODS: Readonly<Partial<Record<string, string | null>>> = {
  filter: null,
  sort: null,
  toSorted: null,
  reverse: null,
  toReversed: null,
  slice: null,
  flat: null,
  trim: null,
  normalize: null,
  substring: null,
  padStart: null,
  padEnd: null,
  replace: null,
  replaceAll: null,
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
  trimStart: 'trimEnd',
  trimEnd: 'trimStart',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
};

const isText = (node: ts.Node): boolean => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
const inner = (node: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) ? inner(node.expression) : node;
const isComparison = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node) && NEGATED.has(node.operatorToken.kind);
const isAndOr = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) &&
  (node.operatorToken.kind === K.AmpersandAmpersandToken || node.operatorToken.kind === K.BarBarToken);
const isNegation = (node: ts.Node): boolean =>
  ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken;

/** The text of a binary expression with another operator. */
function withOperator(node: ts.BinaryExpression, operator: string): string {
  const { left, right } = node;
  // `??` must not stand beside `&&` without parentheses.
  return `(${left.getText()}) ${operator} (${right.getText()})`;
}

function byTable(mutator: string, table: ReadonlyMap<ts.SyntaxKind, string>): Mutator {
  return (node) => {
    if (!ts.isBinaryExpression(node)) return [];
    const operator = table.get(node.operatorToken.kind);
    if (operator === undefined) return [];
    if (table === ARITHMETIC && (isText(node.left) || isText(node.right))) return [];
    const text =
      table === ASSIGNMENT
        ? `${node.left.getText()} ${operator} ${node.right.getText()}`
        : withOperator(node, operator);
    return [{ mutator, node, text }];
  };
}

/** Changes of a condition: each operand is made irrelevant, and the whole is made constant. */
function conditions(node: ts.Expression, to: readonly ('true' | 'false')[]): readonly Change[] {
  const whole = inner(node);
  if (whole.kind === K.TrueKeyword || whole.kind === K.FalseKeyword) return [];
  const certain = to.map((text) => ({ mutator: 'condition', node, text }));
  return isAndOr(whole) ? [...certain, ...operands(whole)] : certain;
}

function operands(node: ts.BinaryExpression): readonly Change[] {
  const neutral = node.operatorToken.kind === K.AmpersandAmpersandToken ? 'true' : 'false';
  return [node.left, node.right].flatMap((operand) => {
    const part = inner(operand);
    if (isAndOr(part)) {
      if (part.operatorToken.kind === node.operatorToken.kind) return operands(part);
      return [{ mutator: 'condition', node: operand, text: neutral }, ...operands(part)];
    }
    return [{ mutator: 'condition', node: operand, text: neutral }];
  });
}

const condition: Mutator = (node) => {
  if (ts.isIfStatement(node)) return conditions(node.expression, ['true', 'false']);
  if (ts.isConditionalExpression(node)) return conditions(node.condition, ['true', 'false']);
  // An endless loop proves nothing about the tests.
  if (ts.isWhileStatement(node)) return conditions(node.expression, ['false']);
  if (ts.isDoStatement(node)) return conditions(node.expression, ['false']);
  if (ts.isForStatement(node) && node.condition) return conditions(node.condition, ['false']);
  if (!ts.isExpression(node) || inCondition(node)) return [];
  if (isComparison(node)) return conditions(node, ['true', 'false']);
  if (isAndOr(node) && isBoolean(node)) return conditions(node, ['true', 'false']);
  return [];
};

/** Whether all operands are boolean: an `&&` that selects a value is no condition. */
const isBoolean = (node: ts.Expression): boolean => {
  const part = inner(node);
  return isAndOr(part)
    ? isBoolean(part.left) && isBoolean(part.right)
    : isComparison(part) || isNegation(part) || ts.isCallExpression(part);
};

/** Whether the `conditions` of another node has already changed this one. */
function inCondition(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isParenthesizedExpression(parent) || ts.isNonNullExpression(parent)) return inCondition(parent);
  if (isAndOr(parent)) return inCondition(parent) || isBoolean(parent);
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent)) {
    return parent.expression === node;
  }
  return (ts.isConditionalExpression(parent) || ts.isForStatement(parent)) && parent.condition === node;
}

const booleans: Mutator = (node) => {
  if (node.kind === K.TrueKeyword) return [{ mutator: 'boolean', node, text: 'false' }];
  if (node.kind === K.FalseKeyword) return [{ mutator: 'boolean', node, text: 'true' }];
  if (ts.isPrefixUnaryExpression(node) && node.operator === K.ExclamationToken) {
    return [{ mutator: 'boolean', node, text: node.operand.getText() }];
  }
  return [];
};

const updates: Mutator = (node) => {
  if (ts.isPrefixUnaryExpression(node)) {
    const operand = node.operand.getText();
    if (node.operator === K.PlusPlusToken) return [{ mutator: 'update', node, text: `--${operand}` }];
    if (node.operator === K.MinusMinusToken) return [{ mutator: 'update', node, text: `++${operand}` }];
    if (node.operator === K.MinusToken) return [{ mutator: 'update', node, text: operand }];
  }
  if (ts.isPostfixUnaryExpression(node)) {
    const text = `${node.operand.getText()}${node.operator === K.PlusPlusToken ? '--' : '++'}`;
    return [{ mutator: 'update', node, text }];
  }
  return [];
};

const literals: Mutator = (node) => {
  if (ts.isArrayLiteralExpression(node)) {
    return [{ mutator: 'array', node, text: node.elements.length === 0 ? "['mutated']" : '[]' }];
  }
  if (ts.isObjectLiteralExpression(node) && node.properties.length > 0) {
    return [{ mutator: 'object', node, text: '{}' }];
  }
  return [];
};

/** Strings that programs read: codes, states, keys, ids. Text for people has spaces in it. */
const words: Mutator = (node) => {
  if (ts.isStringLiteralLike(node)) {
    if (/\s/.test(node.text)) return [];
    return [{ mutator: 'word', node, text: node.text === '' ? "'mutated'" : "''" }];
  }
  if (ts.isTemplateExpression(node)) {
    const parts = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
    return parts.some((part) => /\s/.test(part)) ? [] : [{ mutator: 'word', node, text: "''" }];
  }
  return [];
};

const chaining: Mutator = (node) => {
  if (
    (ts.isPropertyAccessExpression(node) ||
      ts.isElementAccessExpression(node) ||
      ts.isCallExpression(node)) &&
    node.questionDotToken
  ) {
    const token = node.questionDotToken;
    return [{ mutator: 'chaining', node: token, text: ts.isPropertyAccessExpression(node) ? '.' : '' }];
  }
  return [];
};

const methods: Mutator = (node) => {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const { name, expression } = node.expression;
  if (!Object.hasOwn(METHODS, name.text)) return [];
  const other = METHODS[name.text];
  if (typeof other !== 'string') return [{ mutator: 'method', node, text: expression.getText() }];
  return [{ mutator: 'method', node: name, text: other }];
};

const isReturn = (statement: ts.Statement | undefined): boolean =>
  statement !== undefined && ts.isReturnStatement(statement);

/** A block whose only statement is mutated itself is left alone: both mutants would be the same. */
const blocks: Mutator = (node) => {
  if (ts.isBlock(node)) {
    const [first, second] = node.statements;
    if (first === undefined) return [];
    const alone = second === undefined;
    if (alone && ts.isExpressionStatement(first)) return [];
    if (alone && isReturn(first) && ts.isFunctionLike(node.parent)) {
      return [{ mutator: 'return', node, text: '' }];
    }
    return [{ mutator: 'block', node, text: '' }];
  }
  if (ts.isCaseClause(node) || ts.isDefaultClause(node)) {
    const [first] = node.statements;
    if (first === undefined || (node.statements.length === 1 && ts.isBlock(first))) return [];
    return [{ mutator: 'block', node, text: '' }];
  }
  return [];
};

const NOTHING = new Set(['undefined', 'null', '[]', '{}', 'true', 'false']);

const returns: Mutator = (node) => {
  let value: ts.Expression | undefined;
  if (ts.isReturnStatement(node)) {
    const { parent } = node;
    const alone = ts.isBlock(parent) && parent.statements.length === 1 && ts.isFunctionLike(parent.parent);
    if (!alone) value = node.expression;
  } else if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) value = node.body;
  if (value === undefined || NOTHING.has(inner(value).getText())) return [];
  return [{ mutator: 'return', node: value, text: 'undefined' }];
};

const statements: Mutator = (node) =>
  ts.isExpressionStatement(node) ? [{ mutator: 'statement', node: node.expression, text: 'undefined' }] : [];

const MUTATORS: readonly Mutator[] = [
  byTable('boundary', BOUNDARY),
  byTable('equality', NEGATED),
  byTable('logical', LOGICAL),
  byTable('arithmetic', ARITHMETIC),
  byTable('update', ASSIGNMENT),
  condition,
  booleans,
  updates,
  literals,
  words,
  chaining,
  methods,
  blocks,
  returns,
  statements,
];

export const changesOf = (node: ts.Node): readonly Change[] => MUTATORS.flatMap((mutate) => mutate(node));
