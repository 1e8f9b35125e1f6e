import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { EchelonError } from '../../core/value/error.ts'
import { guardedSchema } from '../../core/schema/guarded-schema.ts'
import { isRecord } from '../../core/value/json.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { Prompt } from '../../core/extension/middleware.ts'
import type { Verdict } from '../../core/agent/permission.ts'
import { type Message, Thread } from '../../core/message/thread.ts'
import { framed, labelOf, originsIn } from '../../core/message/untrusted-text.ts'
import { type Known, knownOptions } from '../option-check.ts'

export interface UntrustedTextOptions {
  /**
   * Origins of tool results, by tool name, for tools that do not declare one. `null` trusts a tool that
   * does.
   */
  readonly tools?: Readonly<Record<string, string | null>>
}

/** The origins of the outside text that the model sees. */
export interface UntrustedTextState {
  readonly origins: readonly string[]
}

/**
 * Treats outside text as data. Results of a tool with an `origin` are framed and labeled with it in
 * each prompt, and cannot close their frame; text framed by prompt filters (`framed`) counts too. While
 * the conversation holds such text, a tool that acts, makes repeatable writes, or runs an agent with
 * such tools needs approval each time, unless a permission rule allows it. Results of a tool that no
 * longer exists count as untrusted. Without such text nothing is changed or asked.
 *
 * Agents add it automatically when one of their tools or middleware has an `origin`. It is inside all other
 * middleware, since it needs the final prompt. The stored conversation does not change.
 * @throws EchelonError INVALID_CONFIG for an unknown option or an empty origin
 */
export function untrustedText(
  options: UntrustedTextOptions = {},
): Middleware<'untrustedText', UntrustedTextState> {
  knownOptions('untrustedText', options, OPTIONS)
  const { tools = {} } = options
  checkOrigins(tools)
  return defineMiddleware({
    name: 'untrustedText',
    namespace: 'echelon',
    state: { scope: 'run', version: 1, schema: SCHEMA, initial: INITIAL },
    async prompt(prompt, next, { run, state, update }) {
      const originOf = (tool: string): string | null => {
        if (Object.hasOwn(tools, tool)) return tools[tool] ?? null
        const facts = run.tool(tool)
        return facts === undefined ? UNKNOWN : (facts.origin ?? null)
      }
      const { marked, origins } = markedPrompt(prompt, originOf)
      if (!isSame(state.origins, origins)) update(() => ({ origins }))
      return next(marked)
    },
    // Text that inner middleware add only around a call passes no prompt filter.
    generate(call, next, { state, update }) {
      const { head, tail } = call.prompt
      const added = [...head, ...tail].flatMap(originsOf)
      const origins = [...new Set([...state.origins, ...added])].slice(0, MOST_ORIGINS)
      if (!isSame(state.origins, origins)) update(() => ({ origins }))
      return next(call)
    },
    async permit(request, next, { run, state }) {
      const verdict = await next(request)
      if (request.type !== 'call' || state.origins.length === 0) return verdict
      const facts = run.tool(request.call.tool)
      if (facts === undefined || (facts.does === 'reads' && facts.mayAct !== true)) return verdict
      return asking(verdict, request.call.tool, state.origins)
    },
  })()
}

const OPTIONS: Known<UntrustedTextOptions> = { tools: true }

const INITIAL: UntrustedTextState = { origins: [] }

const isOrigins = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((origin) => typeof origin === 'string')

const SCHEMA = guardedSchema<UntrustedTextState>(
  {
    type: 'object',
    properties: { origins: { type: 'array', items: { type: 'string' } } },
    required: ['origins'],
  },
  (value): value is UntrustedTextState => isRecord(value) && isOrigins(value['origins']),
)

const UNKNOWN = 'a tool that no longer exists'

/** Maximum origins to name; further ones still cause the question. */
const MOST_ORIGINS = 8

/** Asks each time: an answer from before such text may not hold after it. */
function asking(verdict: Verdict, tool: string, origins: readonly string[]): Verdict {
  if (verdict.type === 'deny' || (verdict.type === 'ask' && verdict.by !== 'tool')) return verdict
  const from = origins.join(', ')
  const why = `the model has read text from outside (${from}), which may have told it to call ${tool}`
  return { type: 'ask', why, by: 'tool', eachTime: true }
}

interface Marked {
  readonly marked: Prompt
  readonly origins: readonly string[]
}

function markedPrompt(prompt: Prompt, originOf: (tool: string) => string | null): Marked {
  const found = new Set<string>()
  let isChanged = false
  const messages = prompt.thread.toArray().map((message) => {
    const marked = message.role === 'tool' ? markedResults(message, originOf) : message
    if (marked !== message) isChanged = true
    return marked
  })
  for (const message of [...prompt.head, ...messages, ...prompt.tail]) {
    for (const origin of originsOf(message)) found.add(origin)
  }
  const origins = [...found].slice(0, MOST_ORIGINS)
  return { marked: isChanged ? { ...prompt, thread: Thread.of(messages) } : prompt, origins }
}

type ToolMessage = Extract<Message, { role: 'tool' }>
type Part = ToolMessage['content'][number]
type Output = Extract<Part, { type: 'tool-result' }>['output']

function markedResults(
  message: ToolMessage,
  originOf: (tool: string) => string | null,
): ToolMessage {
  let isChanged = false
  const content = message.content.map((part): Part => {
    const origin = part.type === 'tool-result' ? originOf(part.toolName) : null
    if (part.type !== 'tool-result' || origin === null) return part
    const output = markedOutput(part.output, origin)
    if (output === part.output) return part
    isChanged = true
    return { ...part, output }
  })
  return isChanged ? { ...message, content } : message
}

function markedOutput(output: Output, origin: string): Output {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { ...output, value: framed(output.value, origin) }
    case 'json':
      return { type: 'text', value: framed(JSON.stringify(output.value), origin) }
    case 'error-json':
      return { type: 'error-text', value: framed(JSON.stringify(output.value), origin) }
    case 'content': {
      const value = output.value.map((part) =>
        part.type === 'text' ? { ...part, text: framed(part.text, origin) } : part,
      )
      return { ...output, value }
    }
    case 'execution-denied':
      return output
  }
}

/** The model's own words about a text, which was in the prompt before them. */
function originsOf(message: Message): readonly string[] {
  if (message.role === 'assistant') return []
  if (message.role === 'system') return originsIn(message.content)
  return message.content.flatMap((part) => {
    if (part.type === 'text') return originsIn(part.text)
    return part.type === 'tool-result' ? originsInOutput(part.output) : []
  })
}

function originsInOutput(output: Output): readonly string[] {
  if (output.type === 'text' || output.type === 'error-text') return originsIn(output.value)
  if (output.type !== 'content') return []
  return output.value.flatMap((part) => (part.type === 'text' ? originsIn(part.text) : []))
}

const isSame = (before: readonly string[], now: readonly string[]): boolean =>
  before.length === now.length && before.every((origin, index) => origin === now[index])

function checkOrigins(tools: Readonly<Record<string, string | null>>): void {
  for (const [tool, origin] of Object.entries(tools)) {
    if (origin === null || labelOf(origin) !== '') continue
    throw new EchelonError(
      'INVALID_CONFIG',
      `untrustedText: give the origin of the results of ${tool}, such as 'the web', or null to trust them`,
    )
  }
}
