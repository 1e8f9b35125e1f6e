import { monthDay } from '../yearly.ts'
import { easter, orthodoxEaster } from './easter.ts'
import { type Holidays, SUNDAY, shifted, weekdayBefore } from './rules.ts'

/** Feasts by their distance from Easter, the same in Western and Orthodox churches. */
const FROM_EASTER: readonly (readonly [days: number, names: string])[] = [
  [-7, 'palm sunday'],
  [-3, 'maundy thursday, holy thursday'],
  [-2, '(good|great|holy) friday'],
  [-1, '(holy|great) saturday'],
  [0, 'easter, easter sunday, pascha'],
  [1, 'easter monday'],
  [39, 'ascension, ascension thursday'],
  [49, 'pentecost, whit sunday, whitsunday'],
  [50, 'whit monday, pentecost monday'],
]

const advent = shifted(weekdayBefore(monthDay(12, 25), SUNDAY), -21)

/**
 * Feasts of the Western churches, and of the Orthodox churches under names with `orthodox`. Orthodox
 * Christmas follows the Julian calendar, as in most Orthodox churches.
 */
export const CHRISTIAN: Holidays = [
  ...FROM_EASTER.map(([days, names]) => [shifted(easter, days), names] as const),
  [shifted(easter, -48), '(shrove|rose) monday'],
  [shifted(easter, -47), 'shrove tuesday, pancake day, pancake tuesday, mardi gras, fat tuesday'],
  [shifted(easter, -46), 'ash wednesday'],
  [shifted(easter, -21), 'mothering sunday'],
  [shifted(easter, -4), 'spy wednesday'],
  [shifted(easter, 7), 'divine mercy sunday'],
  [shifted(easter, 56), 'trinity sunday'],
  [shifted(easter, 60), 'corpus christi'],
  [shifted(easter, 68), 'sacred heart'],
  [advent, 'advent sunday, first sunday of advent, 1st sunday of advent'],
  [shifted(advent, -7), 'christ the king, feast of christ the king'],
  ...FROM_EASTER.map(([days, names]) => [shifted(orthodoxEaster, days), orthodox(names)] as const),
  [shifted(orthodoxEaster, -48), 'orthodox (shrove|clean|ash|green) monday'],
  [shifted(orthodoxEaster, -43), 'feast of orthodoxy, orthodoxy sunday'],
  [shifted(orthodoxEaster, 56), 'orthodox all saints'],
  [monthDay(1, 7), 'orthodox christmas'],
  [monthDay(1, 14), 'orthodox new year'],
  [monthDay(1, 6), 'epiphany, three kings'],
  [monthDay(2, 2), 'candlemas'],
  [monthDay(3, 25), 'annunciation'],
  [monthDay(3, 19), '(saint|st) joseph, (saint|st) josephs'],
  [monthDay(8, 15), '(|feast of the) assumption, assumption of mary'],
  [monthDay(9, 29), 'michaelmas'],
  [monthDay(10, 4), '(|feast of) (saint|st) francis of assisi'],
  [monthDay(10, 31), 'reformation day'],
  [monthDay(11, 1), 'all saints, all hallows'],
  [monthDay(11, 2), 'all souls'],
  [monthDay(12, 8), '(|feast of the) immaculate conception'],
  [monthDay(12, 24), '(christmas|xmas) eve'],
  [monthDay(12, 25), 'christmas, xmas, x mas'],
  [monthDay(12, 28), 'holy innocents'],
  [monthDay(12, 26), 'boxing day, (saint|st) stephen, (saint|st) stephens'],
]

function orthodox(names: string): string {
  return names
    .split(', ')
    .map((name) => `orthodox ${name}`)
    .join(', ')
}
