import type { Artifact, ArtifactStore } from '../core/tool/artifact.ts'
import { canonicalJson } from '../core/value/canonical-json.ts'
import { isJson, isJsonObject } from '../core/value/json.ts'
import { type Tool, type ToolContext, ToolError } from '../core/tool/tool.ts'
import { endAs, uncheckedBy } from '../core/tool/tool-end.ts'
import type { ToolAct } from './line.ts'
import type { LoadedRecording } from './loaded-recording.ts'
import type { ReplayingTimeline } from './replaying-timeline.ts'
import { unrecordedTool } from './unrecorded-tool.ts'

/** Placeholder files of a replay, by the bytes that stand in for them. */
type Files = WeakMap<Uint8Array, Artifact>

/**
 * The same tool, replayed from the recording without side effects. A call that is not recorded ends
 * the run with EchelonError UNRECORDED_CALL.
 */
export function replayedTool(tool: Tool, { record, timeline, files }: ReplayedFrom): Tool {
  return {
    ...tool,
    ...uncheckedBy(tool),
    async run(given, context) {
      const input = isJson(given) ? given : null
      const key = timeline.numbered(context.key)
      const line = record.toolCall(key)
      const isSame = line?.tool === tool.name && canonicalJson(line.input) === canonicalJson(input)
      if (line === undefined || !isSame)
        throw unrecordedTool(record, { tool: tool.name, input, key })
      return new Promise((resolve, reject) => {
        for (const { key: act, does } of record.actsOf(key)) {
          timeline.arrive(act, () => again(does, context, files), reject)
        }
        const { end } = line
        timeline.arrive(key, () => end && endAs(end, resolve, reject), reject)
      })
    },
  }
}

export interface ReplayedFrom {
  readonly record: LoadedRecording
  readonly timeline: ReplayingTimeline
  readonly files: Files
}

/** Repeats a recorded act of the tool on the context. Its results are recorded too. */
function again(does: ToolAct, context: ToolContext, files: Files): void {
  switch (does.act) {
    case 'progress':
      return context.progress(does.data)
    case 'ask': {
      const { question, schema } = does
      const asking = context.ask?.(question, isJsonObject(schema) ? schema : undefined)
      asking?.catch(() => undefined)
      return
    }
    case 'write': {
      const bytes = new Uint8Array(Buffer.from(does.content ?? '', 'base64'))
      files.set(bytes, does.artifact)
      context.artifacts.write(does.name, bytes).catch(() => undefined)
    }
  }
}

/** A store that writes nothing and returns each file as recorded. */
export const recordedFiles = (files: Files): ArtifactStore => ({
  write(name, content) {
    const artifact = files.get(content)
    if (artifact !== undefined) return Promise.resolve(artifact)
    return Promise.reject(
      new ToolError('TOOL_ERROR', `a replay writes no files, and ${name} is not recorded`),
    )
  },
})
