import { A2A_PROTOCOL_VERSION, type AgentCard, type AgentSkill } from '@a2a-js/sdk'
import type { JsonObject } from 'echelon/runtime'
import type { ServedAgent } from '../agents/served-agent.ts'
import { OUTPUT_MODES } from './message-in.ts'

export const LEGACY_VERSION = '0.3'

/** Version and transport; the first one is preferred. */
const INTERFACES = [
  [A2A_PROTOCOL_VERSION, 'JSONRPC'],
  [A2A_PROTOCOL_VERSION, 'HTTP+JSON'],
  [LEGACY_VERSION, 'JSONRPC'],
] as const

export interface CardOptions {
  /** The address of the agent, which all transports share. */
  readonly url: string
  readonly version: string
  /** Also tells what only users may know: the tools and the models. */
  readonly isExtended?: boolean
}

/** The card of an agent. The first interface is the preferred one. */
export function agentCard(
  agent: ServedAgent,
  { url, version, isExtended = false }: CardOptions,
): AgentCard {
  const inputModes = ['text/plain', 'application/json', ...(agent.accepts.files ? ['*/*'] : [])]
  const itself = skill(agent.name, agent.name, agent.description, [agent.kind])
  return {
    name: agent.name,
    description: agent.description,
    supportedInterfaces: INTERFACES.map(([protocolVersion, protocolBinding]) => ({
      url,
      protocolBinding,
      tenant: '',
      protocolVersion,
    })),
    provider: undefined,
    version,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extensions: [],
      extendedAgentCard: true,
    },
    securitySchemes: {
      bearer: {
        scheme: {
          $case: 'httpAuthSecurityScheme',
          value: {
            description: 'A token of the server, where one is set',
            scheme: 'bearer',
            bearerFormat: '',
          },
        },
      },
    },
    securityRequirements: [],
    defaultInputModes: inputModes,
    defaultOutputModes: [...OUTPUT_MODES],
    skills: isExtended
      ? [
          itself,
          ...agent.tools.map(({ name, description }) =>
            skill(`tool:${name}`, name, description, ['tool']),
          ),
        ]
      : [itself],
    signatures: [],
  }
}

/**
 * The card for clients that do not announce version 1.0: the fields of 0.3, and the interfaces of both
 * versions.
 */
export function legacyCard(card: AgentCard): JsonObject {
  const { name, description, version, capabilities } = card
  const own = card.supportedInterfaces.filter(
    ({ protocolVersion }) => protocolVersion === LEGACY_VERSION,
  )
  const [first, ...others] = own.map(({ url, protocolBinding: transport }) => ({ url, transport }))
  return {
    name,
    description,
    version,
    protocolVersion: LEGACY_VERSION,
    url: first?.url ?? '',
    preferredTransport: first?.transport ?? 'JSONRPC',
    additionalInterfaces: others,
    capabilities: {
      streaming: capabilities?.streaming ?? false,
      pushNotifications: capabilities?.pushNotifications ?? false,
    },
    supportsAuthenticatedExtendedCard: capabilities?.extendedAgentCard ?? false,
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    defaultInputModes: card.defaultInputModes,
    defaultOutputModes: card.defaultOutputModes,
    skills: card.skills.map(({ id, name: title, description: about, tags }) => ({
      id,
      name: title,
      description: about,
      tags,
    })),
    supportedInterfaces: card.supportedInterfaces.map((one) => ({ ...one })),
  }
}

const skill = (
  id: string,
  name: string,
  description: string,
  tags: readonly string[],
): AgentSkill => ({
  id,
  name,
  description,
  tags: [...tags],
  examples: [],
  inputModes: [],
  outputModes: [],
  securityRequirements: [],
})
