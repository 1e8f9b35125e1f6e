import type { Reasoning } from '../core/model/model.ts'
import type { SettingsByProvider } from './registry.ts'

/**
 * Settings under which a model thinks so long, by default where they do not say how long. For roles with short
 * answers, such as a plan or a class, `least` leaves the tokens of the answer to the answer.
 * @param over `any`: also where they do, since what is set is set for this role
 * @param name of the model, as `provider/model`; the settings of other providers stay as they are
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
