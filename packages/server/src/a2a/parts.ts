import { type Artifact, type Message, type Part, Role } from '@a2a-js/sdk'
import type { Json, JsonObject } from 'echelon/runtime'

export const textPart = (value: string): Part => ({
  content: { $case: 'text', value },
  metadata: undefined,
  filename: '',
  mediaType: 'text/plain',
})

export const dataPart = (value: Json): Part => ({
  content: { $case: 'data', value },
  metadata: undefined,
  filename: '',
  mediaType: 'application/json',
})

export const urlPart = (url: string, filename: string, mediaType: string): Part => ({
  content: { $case: 'url', value: url },
  metadata: undefined,
  filename,
  mediaType,
})

export interface AgentMessage {
  readonly id: string
  readonly task: string
  readonly context: string
  readonly parts: readonly Part[]
}

/** A message of the agent. */
export const agentMessage = ({ id, task, context, parts }: AgentMessage): Message => ({
  messageId: id,
  contextId: context,
  taskId: task,
  role: Role.ROLE_AGENT,
  parts: [...parts],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
})

export interface ArtifactParts {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly parts: readonly Part[]
  readonly metadata?: JsonObject
}

export const artifactOf = (given: ArtifactParts): Artifact => ({
  artifactId: given.id,
  name: given.name,
  description: given.description ?? '',
  parts: [...given.parts],
  metadata: given.metadata,
  extensions: [],
})
