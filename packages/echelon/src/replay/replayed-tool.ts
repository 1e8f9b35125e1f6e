import type { Artifact, ArtifactStore } from '../core/tool/artifact.ts'
import { canonicalJson } from '../core/value/canonical-json.ts'
import { isJson, isJsonObject } from '../core/value/json.ts'
import { type Tool, type ToolContext, ToolError } from '../core/tool/tool.ts'
import { endAs, uncheckedBy } from '../core/tool/tool-end.ts'
import type { ToolAct } from './line.ts'
import type { RunRecord } from './run-record.ts'
import type { ReplayingTimeline } from './replaying-timeline.ts'
import { unrecordedTool } from './unrecorded-tool.ts'

/** Files that a replay stands for, by the very bytes that it hands out in their place. */
type Files = WeakMap<Uint8Array, Artifact>

/**
 * The same tool, which does nothing but what is on record. A call that is not there ends the run
 * with EchelonError UNRECORDED_CALL.
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
  readonly record: RunRecord
  readonly timeline: ReplayingTimeline
  readonly files: Files
}

/** Does by the context what the tool did. What comes of it is on record too. */
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

/** A store that writes nothing: each file is as it was recorded. */
export const recordedFiles = (files: Files): ArtifactStore => ({
  write(name, content) {
    const artifact = files.get(content)
    if (artifact !== undefined) return Promise.resolve(artifact)
    return Promise.reject(
      new ToolError('TOOL_ERROR', `a replay writes no files, and ${name} is not recorded`),
    )
  },
})
