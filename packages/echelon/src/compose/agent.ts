import { ChatBuilder, agentFrom } from '../agents/chat/agent-builder.ts'
import type { AgentOptions, AgentParts, StatesOf } from '../agents/chat/agent-options.ts'
import type { Agent } from '../agents/chat/chat-agent.ts'
import type { Middleware } from '../core/extension/defined-middleware.ts'
import type { ArtifactStore } from '../core/tool/artifact.ts'
import { systemClock, systemTimeZone } from '../platform/clock.ts'
import { sha256 } from '../platform/hash.ts'
import { systemIds } from '../platform/ids.ts'
import { warnUnheard } from '../platform/warning.ts'
import { normalizerOf } from '../providers/errors/by-key.ts'
import { configuredModels } from './models.ts'

/**
 * Builds an agent step by step: `new
 * AgentBuilder().model('openai/gpt-5-nano').instructions('…').tool(weather).build()`. Provider keys
 * and addresses come from the configuration (`config.yaml`, `.env`, the environment) unless given.
 * Loads nothing before the first run.
 */
export class AgentBuilder extends ChatBuilder {
  constructor() {
    super(PARTS, NO_PLAN, undefined)
  }
}

/**
 * Creates an agent from a plain object.
 * @throws EchelonError INVALID_CONFIG or INVALID_DEFINITION for invalid options, with a correction
 */
export function createAgent<
  const Middlewares extends readonly Middleware[] = readonly [],
  Container = undefined,
  Output = undefined,
>(options: AgentOptions<Middlewares, Container, Output>): Agent<StatesOf<Middlewares>, Output> {
  return agentFrom(options, PARTS)
}

const NO_PLAN = { use: [] }

/** The store for tools' files, created with the first file. */
const artifacts: ArtifactStore = {
  async write(name, content) {
    const { artifactFolder } = await import('../platform/measured-artifacts.ts')
    return artifactFolder({ folder: 'artifacts' }).write(name, content)
  },
}

const PARTS: AgentParts = {
  clock: systemClock,
  ids: systemIds,
  registry: configuredModels,
  artifacts,
  timeZone: systemTimeZone,
  hash: sha256,
  unheard: warnUnheard,
  normalizerOf,
}
