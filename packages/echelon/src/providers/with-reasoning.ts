import type { Reasoning } from '../core/model/model.ts'
import type { SettingsByProvider } from './registry.ts'

/**
 * Settings with a default reasoning level for a model. For roles with short answers, such as a plan
 * or a classification, `least` leaves the answer's tokens to the answer.
 * @param over `any` replaces an existing level too, because it was set for this role
 * @param name of the model, as `provider/model`; other providers' settings are unchanged
 */
export function withReasoning(
  settings: SettingsByProvider,
  name: string,
  reasoning: Reasoning,
  over: 'unset' | 'any' = 'unset',
): SettingsByProvider {
  const key = name.slice(0, Math.max(0, name.indexOf('/')))
  const own = Object.hasOwn(settings, key) ? settings[key] : undefined
  if (key === '' || (over === 'unset' && own?.reasoning !== undefined)) return settings
  return { ...settings, [key]: { ...own, reasoning } }
}
