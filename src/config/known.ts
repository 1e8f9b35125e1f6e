import { SETTINGS } from '../agents/decide/settings-table.ts'
import { type KnownSetting, listed, sectionOf } from '../core/setting-tree.ts'
import { GATES } from '../evals/gate-settings.ts'
import { MODEL_TIMEOUTS } from './model-timeouts.ts'
import { PROVIDERS } from './providers.ts'
import { RECORDS } from './records.ts'
import { RUN } from './run.ts'

/** Sections as a reader wants them; one that is not named here comes after these. */
const ORDER = ['models', 'providers', 'run']

const rank = (section: string): number =>
  ORDER.includes(section) ? ORDER.indexOf(section) : ORDER.length

const ALL = [
  ...SETTINGS,
  ...listed(RUN),
  ...listed(MODEL_TIMEOUTS),
  ...listed(RECORDS),
  ...listed(GATES),
  ...PROVIDERS,
]

/** Every setting that there is, section by section. */
export const CONFIG_SETTINGS: readonly KnownSetting[] = [
  ...Map.groupBy(ALL, ({ path }) => sectionOf(path)),
]
  .toSorted(([a], [b]) => rank(a) - rank(b))
  .flatMap(([, settings]) => settings)
