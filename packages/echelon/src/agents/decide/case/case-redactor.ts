import { createRedactor, type Redactor } from '../../../core/redaction/redaction.ts'
import type { DecideSettings } from '../settings/settings.ts'

/**
 * Creates the redactor that hides secrets and personal data from logs and listeners, as the settings say. The
 * answer and the journal do not pass through it.
 * @param secrets always hidden, whatever the settings say
 */
export function redactorFor(
  { telemetry }: DecideSettings,
  secrets: readonly string[] = [],
): Redactor {
  const { redact_pii, redact_fields: deny, keep_fields: allow } = telemetry
  // The program's own keys are hidden even when personal data is shown.
  if (!redact_pii) return createRedactor({ deny: [], allow: [], content: false, secrets })
  return createRedactor({ deny, allow, content: true, secrets })
}
