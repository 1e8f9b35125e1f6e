import {
  type ConfigTable,
  type DerivedDefault,
  sectionsOf,
} from '../../../core/setting/config-table.ts'
import { EchelonError } from '../../../core/value/error.ts'
import { redactText } from '../../../core/redaction/redaction.ts'
import {
  type GivenValue,
  listed,
  nested,
  refuse,
  valuesOf,
} from '../../../core/setting/setting-tree.ts'
import { chooseModels } from './default-models.ts'
import { policyFor } from './modes.ts'
import { RUN, type RunSettings } from './run-settings.ts'
import { DEFAULT_SETTINGS, type DecideSettings, settingsFrom } from './settings.ts'
import { SETTINGS } from './settings-table.ts'
import { unknownTool } from '../plan/tool-retries.ts'

/** The decision agent's part of a configuration. */
export interface DecideConfig {
  /** The settings of the decision agent. */
  readonly settings: DecideSettings
  /** Defaults for a run. */
  readonly run: RunSettings
  /** The models that were configured by name; those in `settings` may be defaults. */
  readonly namedModels: Partial<DecideSettings['models']>
}

/** The settings of the decision agent. */
export const decideConfig: ConfigTable<DecideConfig> = {
  settings: [...SETTINGS, ...listed(RUN)],
  read(given, named) {
    const settings = settingsFrom(sectionsOf(SETTINGS, given))
    const { run } = valuesOf(RUN, sectionsOf(listed(RUN), given))
    refuse(contradictions(settings, run))
    return { settings, run, namedModels: namedModels(named) }
  },
  notes: {
    models:
      'As provider/model. With no model named and no key for openai, the offline models answer. A model\n# named alone never escalates to another. Uncomment to set.',
    modes: 'Overrides per mode, with the keys of budget and act above.',
    tools: "By tool name; the tool's own values apply where a key is left out.",
  },
  defaults: modelsByDefault,
  problemWith({ at: [section, name = ''] }, tools) {
    if (section !== 'tools' || tools.includes(name)) return undefined
    return unknownTool(redactText(name), tools)
  },
  /** A ladder replaces the small and big models. */
  replacedBy({ at: [section, key] }, named) {
    if (section !== 'models' || key === 'ladder') return undefined
    return named.find((one) => pathOf(one) === 'models.ladder' && one.value !== null)
  },
}

const pathOf = ({ at }: GivenValue): string => at.join('.')

/** The default models when none are named, with the reason. */
function modelsByDefault(named: readonly GivenValue[]): readonly DerivedDefault[] {
  const those = namedModels(named)
  const key = named.find((one) => pathOf(one) === 'providers.openai.api_key')?.value ?? null
  const { models: chosen, because } = chooseModels(those, key !== null)
  if (because === null) return []
  const before = new Map<string, unknown>(Object.entries({ ...DEFAULT_SETTINGS.models, ...those }))
  return Object.entries(chosen)
    .filter(([name, value]) => value !== before.get(name))
    .map(([name, value]) => ({ path: `models.${name}`, value, because }))
}

function namedModels(named: readonly GivenValue[]): DecideConfig['namedModels'] {
  const those = named.filter(({ at }) => at[0] === 'models')
  const names = new Set(those.map(pathOf))
  const { models } = settingsFrom(nested(those))
  return Object.fromEntries(Object.entries(models).filter(([name]) => names.has(`models.${name}`)))
}

/** Contradictions that would get a run refused. */
function contradictions(settings: DecideSettings, { mode }: RunSettings): readonly string[] {
  try {
    policyFor(settings, mode)
    return []
  } catch (error) {
    if (error instanceof EchelonError) return [error.message]
    throw error
  }
}
