import type { SupportSettings } from '../support-settings.ts'

/** Whether an intent only reads. */
export const isReading = ({ registry, acting }: SupportSettings, intentId: string): boolean =>
  !acting.includes(registry.find(intentId)?.tool ?? '')
