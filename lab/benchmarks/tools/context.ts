import { ToolError, type ToolContext } from '../../../packages/echelon/src/core/tool/tool.ts'

/** A run's context for tools that are measured alone and write no files. */
export const context: ToolContext = {
  key: 'benchmark',
  signal: new AbortController().signal,
  at: 0,
  timeZone: 'UTC',
  artifacts: {
    write: () => Promise.reject(new ToolError('TOOL_ERROR', 'the benchmark keeps no files')),
  },
  progress: () => undefined,
}
