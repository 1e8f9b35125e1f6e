import type { JSONSchema7, LanguageModelV4FunctionTool } from '@ai-sdk/provider'
import type { JsonObject } from '../../core/value/json.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { utf8Bytes } from '../../core/value/utf8.ts'

/** The tools that a model call offers, in the provider's format. */
export class OfferedTools {
  readonly functions: LanguageModelV4FunctionTool[]
  #bytes: number | undefined

  constructor(functions: LanguageModelV4FunctionTool[]) {
    this.functions = functions
  }

  static of(tools: readonly Tool[]): OfferedTools {
    return new OfferedTools(tools.map(toFunctionTool))
  }

  /** UTF-8 bytes of all of them as JSON, an upper bound of their tokens. */
  get bytes(): number {
    this.#bytes ??= utf8Bytes(JSON.stringify(this.functions.map(sentOf)))
    return this.#bytes
  }

  without(denied: ReadonlySet<string>): OfferedTools {
    if (denied.size === 0) return this
    return new OfferedTools(this.functions.filter(({ name }) => !denied.has(name)))
  }
}

const sentOf = ({ name, description, inputSchema }: LanguageModelV4FunctionTool): unknown => [
  name,
  description,
  inputSchema,
]

const toFunctionTool = ({ name, description, jsonSchema }: Tool): LanguageModelV4FunctionTool => ({
  type: 'function',
  name,
  description,
  inputSchema: toJsonSchema7(jsonSchema),
})

// Both types are JSON Schema draft 7: one is readonly JSON, the other has mutable keywords.
export function toJsonSchema7(schema: JsonObject): JSONSchema7
export function toJsonSchema7(schema: object): object {
  return schema
}
