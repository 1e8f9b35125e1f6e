export type { Artifact, ArtifactStore } from '../core/tool/artifact.ts'
export type { Does, ToolCall, ToolErrorCode, ToolOutcome } from '../core/tool/tool-call.ts'
export { defineTool, ToolError } from '../core/tool/tool.ts'
