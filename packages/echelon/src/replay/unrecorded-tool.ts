import { describeDifferences, differences, mostAlike } from '../core/value/parting.ts'
import { EchelonError } from '../core/value/error.ts'
import type { Json } from '../core/value/json.ts'
import type { RunRecord } from './run-record.ts'

/** A tool call as it is looked for. */
export interface AskedTool {
  readonly tool: string
  readonly input: Json
  readonly key: string
}

/** A call to which a recording holds no outcome. */
export function unrecordedTool(record: RunRecord, { tool, input, key }: AskedTool): EchelonError {
  const calls = record.toolCalls.filter((call) => call.tool === tool)
  const near = record.toolCall(key) ?? mostAlike({ tool, input }, calls, contentOf)
  const cut = record.breaksOff ? 'the recording breaks off before this was over. ' : ''
  const message = `${cut}${record.path} holds no such call of ${tool} (${key}). ${held(near, { tool, input })}`
  return new EchelonError('UNRECORDED_CALL', message, {
    details: { path: record.path, tool, nearest: near?.key ?? null },
  })
}

interface Called {
  readonly tool: string
  readonly input: Json
}

const contentOf = ({ tool, input }: Called): Json => ({ tool, input })

function held(near: (Called & { readonly key: string }) | undefined, asked: Called): string {
  if (near === undefined) return 'It holds no call of this tool at all; record anew'
  const found = differences(contentOf(near), contentOf(asked))
  if (found.length === 0) {
    return `The same call stands there at another place (${near.key}); replay with the agent that it was made with`
  }
  return `Ask as it was recorded, or record anew; the nearest is ${near.key}, which differs in\n${describeDifferences(found)}`
}
