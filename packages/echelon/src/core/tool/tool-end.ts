import type { Json } from '../value/json.ts'
import { jsonForm } from '../value/json-form.ts'
import { type Schema, validate } from '../schema/schema.ts'
import {
  type Tool,
  type ToolContext,
  ToolError,
  type ToolErrorCode,
  type ToolFault,
} from './tool.ts'

/** What a tool returned or threw. */
export type ToolEnd =
  | { readonly type: 'ok'; readonly value: Json }
  | {
      readonly type: 'error'
      readonly code: ToolErrorCode | null
      readonly message: string
      /** Absent for no. */
      readonly mayHaveActed?: true
      /** Absent where nobody knows. */
      readonly fault?: ToolFault
    }

/** A call on record, of a tool or a store. */
export interface CallOnRecord {
  readonly tool: string
  readonly input: Json
  /** Nothing of one that was under way when the record ended. */
  readonly end: ToolEnd | undefined
}

/** What was thrown, as it stands in a recording. */
export const endOf = (error: unknown): ToolEnd => ({
  type: 'error',
  code: error instanceof ToolError ? error.code : null,
  message: error instanceof Error ? error.message : String(error),
  ...(error instanceof ToolError && error.mayHaveActed && { mayHaveActed: true }),
  ...(error instanceof ToolError && error.fault !== undefined && { fault: error.fault }),
})

/** The same again. */
export function endAs(
  end: ToolEnd,
  resolve: (value: Json) => void,
  reject: (error: Error) => void,
): void {
  if (end.type === 'ok') return resolve(end.value)
  const { code, message, mayHaveActed = false, fault } = end
  reject(code === null ? new Error(message) : new ToolError(code, message, { mayHaveActed, fault }))
}

/**
 * The check of the arguments becomes part of the call, so that what is wrong with them is on record
 * as any other outcome.
 */
export function uncheckedBy(tool: Tool): Pick<Tool, 'input' | 'reconcile'> {
  const { '~standard': standard } = tool.input
  const input: Schema<unknown> = {
    '~standard': {
      version: 1,
      vendor: 'echelon',
      validate: (value) => ({ value }),
      jsonSchema: standard.jsonSchema,
    },
  }
  if (tool.reconcile === undefined) return { input }
  return {
    input,
    async reconcile(key, given) {
      const checked = await validate(tool.input, given)
      return checked.ok ? ((await tool.reconcile?.(key, checked.value)) ?? 'unknown') : 'not-done'
    },
  }
}

/** The tool itself. @throws ToolError INVALID_ARGS, and what the tool throws */
export async function runChecked(tool: Tool, input: Json, context: ToolContext): Promise<Json> {
  const checked = await validate(tool.input, input)
  if (!checked.ok) throw new ToolError('INVALID_ARGS', checked.message)
  return jsonForm(await tool.run(checked.value, context))
}
