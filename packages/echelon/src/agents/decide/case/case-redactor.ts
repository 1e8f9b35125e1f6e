import { createRedactor, type Redactor } from '../../../core/redaction/redaction.ts'
import type { DecideSettings } from '../settings/settings.ts'

/**
 * What hides secrets and personal data before anything is logged or shown to a watcher, as the settings
 * say. The answer and the journal do not pass through it.
 * @param secrets hidden whatever the settings say
 */
export function redactorFor(
  { telemetry }: DecideSettings,
  secrets: readonly string[] = [],
): Redactor {
  const { redact_pii, redact_fields: deny, keep_fields: allow } = telemetry
  // A key of the program itself is nobody's to see, whatever is said of personal data.
  if (!redact_pii) return createRedactor({ deny: [], allow: [], content: false, secrets })
  return createRedactor({ deny, allow, content: true, secrets })
}
