import { ToolError } from '../../core/tool.ts'

/** What every part of the calculator throws: the expression is at fault, and the message says how. */
export const refuse = (message: string): ToolError => new ToolError('INVALID_ARGS', message)
