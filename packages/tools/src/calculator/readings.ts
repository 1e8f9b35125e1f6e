import { isConstantNode, isOperatorNode, type MathNode } from './mathjs.ts'
import type { ToolError } from 'echelon'
import { refuse } from './refuse.ts'

/**
 * Refuses ambiguous expressions and names both readings.
 * - `100 - 10%` is 90 on a pocket calculator and 99.9 in a spreadsheet; `1 - 10%` and `30% - 10%`
 *   are the same on both.
 * - `6/2(1+2)` is 9 or 1.
 * @throws ToolError INVALID_ARGS
 */
export function checkReadings(node: MathNode): void {
  if (isOperator(node, ['add', 'subtract'])) checkPercentChange(node.op, node.args)
  const [left, right] = isOperatorNode(node) ? node.args : []
  if (isProduct(node) && isOperator(left, ['divide'])) throw ambiguousDivision()
  if (isOperator(node, ['divide']) && isProduct(right)) throw ambiguousDivision()
}

/** An implicit product, as in `2(3)`. */
const isProduct = (node: MathNode | undefined): boolean =>
  isOperator(node, ['multiply']) && node.implicit

const ambiguousDivision = (): ToolError =>
  refuse('a division next to an implicit product has two readings; write the * and brackets')

interface Operation {
  readonly op: string
  readonly fn: string
  readonly args: readonly MathNode[]
  readonly implicit: boolean
}

const isOperator = (
  node: MathNode | undefined,
  names: readonly string[],
): node is MathNode & Operation => isOperatorNode(node) && names.includes(node.fn)

function checkPercentChange(op: string, [left, right]: readonly MathNode[]): void {
  if (left === undefined || !isPercent(right) || isPercent(left) || isOne(left)) return
  const [base, share] = [left, right].map((each) => String(each).replaceAll("'", '%'))
  throw refuse(
    `${base} ${op} ${share} has two readings; write ${base} * (1 ${op} ${share}) or ${base} ${op} (${share})`,
  )
}

const isPercent = (node: MathNode | undefined): node is MathNode & Operation =>
  isOperator(node, ['ctranspose']) ||
  (isOperator(node, ['add', 'subtract']) && node.args.every(isPercent))

const isOne = (node: MathNode): boolean => isConstantNode(node) && String(node.value) === '1'
