import ts from "typescript";

/** What a mutant changes. */
export type Kind =
  | "await dropped"
  | "boundary"
  | "branch removed"
  | "condition"
  | "fallback dropped"
  | "literal"
  | "logic"
  | "operator"
  | "property dropped"
  | "return"
  | "statement dropped";

/** A change of a source file, without the place where it is reached. */
export interface Mutation {
  readonly kind: Kind;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const OPERATORS: Partial<Record<ts.SyntaxKind, readonly [Kind, string]>> = {
  [ts.SyntaxKind.LessThanToken]: ["boundary", "<="],
  [ts.SyntaxKind.LessThanEqualsToken]: ["boundary", "<"],
  [ts.SyntaxKind.GreaterThanToken]: ["boundary", ">="],
  [ts.SyntaxKind.GreaterThanEqualsToken]: ["boundary", ">"],
  [ts.SyntaxKind.AmpersandAmpersandToken]: ["logic", "||"],
  [ts.SyntaxKind.BarBarToken]: ["logic", "&&"],
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: ["operator", "!=="],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: ["operator", "==="],
  [ts.SyntaxKind.PlusToken]: ["operator", "-"],
  [ts.SyntaxKind.MinusToken]: ["operator", "+"],
  [ts.SyntaxKind.AsteriskToken]: ["operator", "/"],
  [ts.SyntaxKind.SlashToken]: ["operator", "*"],
  [ts.SyntaxKind.PlusEqualsToken]: ["operator", "-="],
  [ts.SyntaxKind.MinusEqualsToken]: ["operator", "+="],
};

/** The changes of a node itself, not of what is inside it. */
export function mutationsOf(node: ts.Node, source: ts.SourceFile): readonly Mutation[] {
  return changesOf(node, source).map(([kind, changed, replacement]) => ({
    kind,
    start: changed.getStart(source),
    end: changed.end,
    replacement,
  }));
}

type Change = readonly [Kind, ts.Node, string];

function changesOf(node: ts.Node, source: ts.SourceFile): readonly Change[] {
  if (ts.isIfStatement(node)) return ifChanges(node, source);
  if (ts.isConditionalExpression(node)) return [negate(node.condition, source)];
  if (ts.isWhileStatement(node)) return [["condition", node.expression, "false"]];
  if (ts.isBinaryExpression(node)) return binaryChanges(node, source);
  if (ts.isExpressionStatement(node)) return dropped(node);
  if (ts.isThrowStatement(node) || ts.isBreakOrContinueStatement(node)) return dropped(node);
  if (ts.isReturnStatement(node)) return returnChanges(node);
  if (ts.isArrowFunction(node)) return arrowChanges(node);
  if (ts.isAwaitExpression(node)) {
    return [["await dropped", node, node.expression.getText(source)]];
  }
  if (ts.isObjectLiteralExpression(node)) return propertyChanges(node);
  return literalChanges(node);
}

function ifChanges(node: ts.IfStatement, source: ts.SourceFile): readonly Change[] {
  const { elseStatement } = node;
  const rest = elseStatement === undefined ? "{}" : elseStatement.getText(source);
  return [negate(node.expression, source), ["branch removed", node, rest]];
}

function negate(condition: ts.Expression, source: ts.SourceFile): Change {
  return ["condition", condition, `!(${condition.getText(source)})`];
}

function binaryChanges(node: ts.BinaryExpression, source: ts.SourceFile): readonly Change[] {
  const { left, right, operatorToken: operator, parent } = node;
  if (operator.kind === ts.SyntaxKind.QuestionQuestionToken) {
    return [["fallback dropped", node, left.getText(source)]];
  }
  const [kind, replacement] = OPERATORS[operator.kind] ?? [];
  if (kind === undefined || replacement === undefined) return [];
  // The negated condition is the same mutant.
  const isCondition =
    (ts.isIfStatement(parent) && parent.expression === node) ||
    (ts.isConditionalExpression(parent) && parent.condition === node);
  if (isCondition && isEquality(operator.kind)) return [];
  if ([left, right].some(isString))
    return isEquality(operator.kind) ? [[kind, operator, replacement]] : [];
  return [[kind, operator, replacement]];
}

function isEquality(kind: ts.SyntaxKind): boolean {
  return (
    kind === ts.SyntaxKind.EqualsEqualsEqualsToken ||
    kind === ts.SyntaxKind.ExclamationEqualsEqualsToken
  );
}

function dropped(node: ts.Statement): readonly Change[] {
  return [["statement dropped", node, ";"]];
}

function returnChanges(node: ts.ReturnStatement): readonly Change[] {
  const { expression } = node;
  if (expression === undefined) return dropped(node);
  return isUndefined(expression) ? [] : [["return", expression, "undefined"]];
}

/** What runs for its effect alone is a statement, here too. */
function arrowChanges({ body }: ts.ArrowFunction): readonly Change[] {
  return ts.isBlock(body) || isUndefined(body) ? [] : [["return", body, "undefined"]];
}

function propertyChanges(node: ts.ObjectLiteralExpression): readonly Change[] {
  // Spreading `undefined` adds nothing, and is valid wherever a property is.
  return node.properties
    .filter((property) => !ts.isAccessor(property))
    .map((property): Change => ["property dropped", property, "...undefined"]);
}

function literalChanges(node: ts.Node): readonly Change[] {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [["literal", node, "false"]];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [["literal", node, "true"]];
  if (ts.isNumericLiteral(node)) return [["literal", node, `${Number(node.text) + 1}`]];
  if (!isString(node)) return [];
  const isEmpty =
    (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) && node.text === "";
  return isEmpty || !isValue(node) ? [] : [["literal", node, '""']];
}

/** The name of a property or module has no mutant, and a comparison with a string has a mutant of its operator already. */
function isValue(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) return !isEquality(parent.operatorToken.kind);
  if (ts.isTaggedTemplateExpression(parent) || ts.isLiteralTypeNode(parent)) return false;
  if (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return false;
  }
  return !("name" in parent && parent.name === node);
}

function isString(node: ts.Node): boolean {
  return (
    ts.isStringLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateExpression(node)
  );
}

function isUndefined(node: ts.Expression): boolean {
  return ts.isIdentifier(node) && node.text === "undefined";
}
