/** All mutants of one source file, and the places where each can be switched on without changing the code around it. */
import ts from 'typescript';
import { changesOf, type Change } from './mutators.js';

export interface Mutant {
  readonly id: number;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
}

/** A node that is compiled in several versions: the original, and one for each of its mutants. */
export interface Place {
  readonly kind: 'expression' | 'block' | 'clause';
  readonly node: ts.Node;
  readonly versions: { readonly id: number; readonly text: string }[];
}

export interface MutatedFile {
  readonly file: string;
  readonly source: ts.SourceFile;
  readonly mutants: readonly Mutant[];
  readonly places: readonly Place[];
}

export function findMutants(file: string, text: string, firstId = 0): MutatedFile {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true, ts.ScriptKind.TS);
  const mutants: Mutant[] = [];
  const places = new Map<ts.Node, Place>();

  const add = ({ mutator, node, text: replacement }: Change): void => {
    const place = placeOf(node);
    if (place === null) return;
    const id = firstId + mutants.length;
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart());
    const original = oneLine(node.getText());
    mutants.push({
      id,
      file,
      line: line + 1,
      column: character + 1,
      mutator,
      original,
      replacement: oneLine(replacement),
    });
    const known = places.get(place) ?? { kind: kindOf(place), node: place, versions: [] };
    places.set(place, known);
    known.versions.push({ id, text: withChange(place, node, replacement) });
  };

  const visit = (node: ts.Node): void => {
    if (isLeftOut(node)) return;
    changesOf(node).forEach(add);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { file, source, mutants, places: [...places.values()] };
}

/** The reasons are in docs/testing.md. */
function isLeftOut(node: ts.Node): boolean {
  if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return true;
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isStringLiteral(node) && ts.isPropertyAssignment(node.parent) && node.parent.name === node)
    return true;
  return isSchema(node) || isUnreachable(node);
}

/** `Type.Object(…)`, `defineEvent(…)`: data that describes valid values. */
const isSchema = (node: ts.Node): boolean =>
  ts.isCallExpression(node) &&
  (node.expression.getText().startsWith('Type.') || node.expression.getText() === 'defineEvent');

/** `default: return command satisfies never`: the types prove that this is never reached. */
const isUnreachable = (node: ts.Node): boolean =>
  ts.isDefaultClause(node) && / satisfies never\b/.test(node.getText());

/** The innermost node around a change that a conditional can replace; null when there is no such node. */
function placeOf(node: ts.Node): ts.Node | null {
  if (ts.isBlock(node) || ts.isCaseOrDefaultClause(node)) return node;
  if (ts.isExpression(node) && isWhole(node)) return node;
  return ts.isStatement(node) || ts.isSourceFile(node) ? null : placeOf(node.parent);
}

/** Whether an expression has the same meaning in parentheses. */
function isWhole(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return false;
  // In parentheses an optional chain would not skip the links after it, and a method would lose its `this`.
  if (isLink(parent) && parent.expression === node && inChain(node)) return false;
  if (isCallee(node)) return false;
  if (ts.isNonNullExpression(parent)) return isWhole(parent);
  if (ts.isTaggedTemplateExpression(parent) || ts.isDeleteExpression(parent)) return false;
  return !isTarget(node);
}

const isAccess = (node: ts.Node): node is ts.PropertyAccessExpression | ts.ElementAccessExpression =>
  ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
const isLink = (node: ts.Node) => isAccess(node) || ts.isCallExpression(node) || ts.isNonNullExpression(node);
const isCallee = (node: ts.Node): boolean =>
  (ts.isCallExpression(node.parent) || ts.isNewExpression(node.parent)) &&
  node.parent.expression === node &&
  (isAccess(node) || ts.isNonNullExpression(node));
const inChain = (node: ts.Node): boolean =>
  (node.flags & ts.NodeFlags.OptionalChain) !== 0 ||
  (ts.isNonNullExpression(node) && inChain(node.expression));

/** Whether the node is assigned to. */
function isTarget(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) {
    const { kind } = parent.operatorToken;
    const assigns = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
    return assigns && parent.left === node;
  }
  if (ts.isPrefixUnaryExpression(parent)) {
    return (
      parent.operator === ts.SyntaxKind.PlusPlusToken || parent.operator === ts.SyntaxKind.MinusMinusToken
    );
  }
  if (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) return parent.initializer === node;
  return ts.isPostfixUnaryExpression(parent);
}

function withChange(place: ts.Node, node: ts.Node, replacement: string): string {
  const text = place.getText();
  const at = node.getStart() - place.getStart();
  return text.slice(0, at) + replacement + text.slice(at + node.getWidth());
}

const kindOf = (node: ts.Node): Place['kind'] =>
  ts.isBlock(node) ? 'block' : ts.isCaseOrDefaultClause(node) ? 'clause' : 'expression';

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
