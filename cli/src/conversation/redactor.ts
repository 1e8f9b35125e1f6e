import type { Config } from 'echelon/config'
import { createRedactor } from 'echelon/runtime'

export type Redactor = ReturnType<typeof createRedactor>

/** Creates the redactor that the configuration asks for. Hides API keys in any case. */
export function redactorOf({
  settings,
  providers,
}: Pick<Config, 'settings' | 'providers'>): Redactor {
  const { redact_pii, redact_fields: deny, keep_fields: allow } = settings.telemetry
  if (!redact_pii) return keyRedactorOf({ providers })
  return createRedactor({ deny, allow, content: true, secrets: keysOf(providers) })
}

/** Hides only the configured API keys, for stored data that is shown in full. */
export const keyRedactorOf = ({ providers }: Pick<Config, 'providers'>): Redactor =>
  createRedactor({ deny: [], allow: [], content: false, secrets: keysOf(providers) })

const keysOf = (providers: Config['providers']): readonly string[] =>
  Object.values(providers).flatMap(({ apiKey }) => apiKey ?? [])
