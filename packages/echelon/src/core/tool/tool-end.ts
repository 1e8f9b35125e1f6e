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

/** The value that a tool returned, or the error that it threw. */
export type ToolEnd =
  | { readonly type: 'ok'; readonly value: Json }
  | {
      readonly type: 'error'
      readonly code: ToolErrorCode | null
      readonly message: string
      /** Absent means no. */
      readonly mayHaveActed?: true
      /** Absent if unknown. */
      readonly fault?: ToolFault
    }

/** A recorded call of a tool or a store. */
export interface CallOnRecord {
  readonly tool: string
  readonly input: Json
  /** `undefined` if the call was in flight when the recording ended. */
  readonly end: ToolEnd | undefined
}

/** Converts a thrown error to its recorded form. */
export const endOf = (error: unknown): ToolEnd => ({
  type: 'error',
  code: error instanceof ToolError ? error.code : null,
  message: error instanceof Error ? error.message : String(error),
  ...(error instanceof ToolError && error.mayHaveActed && { mayHaveActed: true }),
  ...(error instanceof ToolError && error.fault !== undefined && { fault: error.fault }),
})

/** Resolves or rejects with the recorded value or error. */
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
 * Moves the check of the arguments into the call, so that invalid arguments are recorded like any
 * other outcome.
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

/** Checks the arguments and runs the tool. @throws ToolError INVALID_ARGS, and what the tool throws */
export async function runChecked(tool: Tool, input: Json, context: ToolContext): Promise<Json> {
  const checked = await validate(tool.input, input)
  if (!checked.ok) throw new ToolError('INVALID_ARGS', checked.message)
  return jsonForm(await tool.run(checked.value, context))
}
