import { describeDifferences, differences, mostAlike } from '../core/value/parting.ts'
import { EchelonError } from '../core/value/error.ts'
import type { Json } from '../core/value/json.ts'
import type { LoadedRecording } from './loaded-recording.ts'

/** A tool call to look up. */
export interface AskedTool {
  readonly tool: string
  readonly input: Json
  readonly key: string
}

/** The error for a call without a recorded outcome. */
export function unrecordedTool(
  record: LoadedRecording,
  { tool, input, key }: AskedTool,
): EchelonError {
  const calls = record.toolCalls.filter((call) => call.tool === tool)
  const near = record.toolCall(key) ?? mostAlike({ tool, input }, calls, contentOf)
  const cut = record.breaksOff ? 'the recording was interrupted before this ended. ' : ''
  const message = `${cut}${record.path} holds no such call of ${tool} (${key}). ${nearestCall(near, { tool, input })}`
  return new EchelonError('UNRECORDED_CALL', message, {
    details: { path: record.path, tool, nearest: near?.key ?? null },
  })
}

interface Called {
  readonly tool: string
  readonly input: Json
}

const contentOf = ({ tool, input }: Called): Json => ({ tool, input })

function nearestCall(near: (Called & { readonly key: string }) | undefined, asked: Called): string {
  if (near === undefined) return 'It holds no call of this tool; record again'
  const found = differences(contentOf(near), contentOf(asked))
  if (found.length === 0) {
    return `The same call is recorded at another place (${near.key}); replay with the recorded agent`
  }
  return `Repeat the recorded request, or record again; the nearest is ${near.key}, which differs in\n${describeDifferences(found)}`
}
