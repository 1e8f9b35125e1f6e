import type { Generated } from '../../../core/agent/observation.ts'
import { textOf, withText } from '../../../core/message/text-of-content.ts'
import type { AssistantContent } from '../../../core/message/thread.ts'
import type { ToolCall } from '../../../core/tool/tool.ts'
import { withAddresses } from '../input/file-addresses.ts'
import { isMessage, isText } from '../input/message-check.ts'

/** The calls of an answer, each with a unique id: a model may omit or repeat ids. */
export function callsOf({ calls }: Generated): readonly ToolCall[] {
  if (calls.length === 0 || areDistinct(calls)) return calls
  const taken = new Set<string>()
  return calls.map(({ id, tool, input }, index) => {
    const own = isText(id) && !taken.has(id) ? id : freeId(index, taken)
    taken.add(own)
    return { id: own, tool: isText(tool) ? tool : 'unnamed', input }
  })
}

function areDistinct(calls: readonly ToolCall[]): boolean {
  for (const [index, { id, tool }] of calls.entries()) {
    if (!isText(id) || !isText(tool)) return false
    for (let other = 0; other < index; other++) if (calls[other]?.id === id) return false
  }
  return true
}

function freeId(index: number, taken: ReadonlySet<string>): string {
  let id = `call-${index}`
  while (taken.has(id)) id += '-again'
  return id
}

/** The part of an answer to keep; undefined for an empty one. */
export function answerOf(seen: Generated, calls: readonly ToolCall[]): AssistantContent {
  const content =
    seen.content === undefined ? undefined : sendableContent(spoken(seen.content, seen.text), calls)
  if (content !== undefined) return content
  const kept: AssistantContent = isText(seen.text) ? [{ type: 'text', text: seen.text }] : []
  for (const { id, tool, input } of calls) {
    kept.push({ type: 'tool-call', toolCallId: id, toolName: tool, input })
  }
  return kept
}

/** Middleware may have changed the text: the conversation keeps what the user reads. */
const spoken = (content: AssistantContent, text: string): AssistantContent =>
  textOf(content) === text ? content : withText(content, text)

/** The content, if it can be sent back with exactly these calls. */
function sendableContent(
  given: AssistantContent,
  calls: readonly ToolCall[],
): AssistantContent | undefined {
  const said = given.every(saysSomething) ? given : given.filter(saysSomething)
  const message = withAddresses({ role: 'assistant', content: said })
  if (!isMessage(message, () => undefined) || message.role !== 'assistant') return undefined
  const asked = message.content.flatMap((part) =>
    part.type === 'tool-call' && part.providerExecuted !== true ? part : [],
  )
  const isSame =
    asked.length === calls.length &&
    asked.every(
      ({ toolCallId, toolName }, index) =>
        toolCallId === calls[index]?.id && toolName === calls[index]?.tool,
    )
  return isSame ? message.content : undefined
}

/** Models put blank lines before their calls, which providers reject when sent back. */
const saysSomething = (part: AssistantContent[number]): boolean =>
  part.type !== 'text' || part.providerOptions !== undefined || isText(part.text)
