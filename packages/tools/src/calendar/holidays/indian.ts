import { Ambiguous } from '../read/misread.ts'
import { formatDay } from '../format-date.ts'
import { type Yearly, monthDay } from '../yearly.ts'
import { lunarDay, sunEnters } from './hindu-calendar.ts'
import { type Holidays, shifted } from './rules.ts'

/** The sun enters Makara. If it does so after sunset, the festival is on the next day. */
const SUNSET = 18
const makara = sunEnters(270, SUNSET)
const mesha = sunEnters(0)

const holika = lunarDay('Phalguna', 15, 'evening')
const diwali = lunarDay('Ashvin', 30, 'evening')
const ashvinFullMoon = lunarDay('Ashvin', 15, 'sunrise')
const JAYANTI = '(jayanti|jayanthi|birthday)'

/** Festivals of Hindus, Sikhs, Jains and Parsis, as observed in most of India. */
export const INDIAN: Holidays = [
  [either(shifted(makara, -1), monthDay(1, 13)), 'lohri'],
  [shifted(makara, -1), 'bhogi, bhogi pandigai, bogi pongal, bhogi pongal'],
  [makara, '(makar|makara) sankranti, maghi, pongal, thai pongal'],
  [shifted(makara, 1), '(mattu|maattu) pongal'],
  [shifted(makara, 2), '(kaanum|kanum|kanni|kanu) pongal'],
  [lunarDay('Pausha', 7, 'sunrise'), `guru (gobind|govind|gobind singh|govind singh) ${JAYANTI}`],
  [lunarDay('Magha', 5, 'noon'), '(vasant|basant|vasanta) panchami, saraswati puja'],
  [lunarDay('Magha', 15, 'sunrise'), `guru (ravidas|ravidass) ${JAYANTI}`],
  [lunarDay('Magha', 25, 'sunrise'), '(dayanand|dayananda) saraswati jayanti'],
  [lunarDay('Magha', 25, 'sunrise'), '(maharishi|maharshi|swami) (dayanand|dayananda) jayanti'],
  [lunarDay('Magha', 29, 'midnight'), '(maha|) (shivaratri|shivratri)'],
  [holika, 'holika dahan, choti holi, kamudu pyre'],
  [shifted(holika, 1), 'holi, dhulandi, dhuleti, dhulheti, phagwah, phagwa, rangwali holi'],
  [
    lunarDay('Chaitra', 1, 'sunrise'),
    'ugadi, yugadi, samvatsaradi, gudi padwa, chaitra (sukladi|shukladi)',
  ],
  [lunarDay('Chaitra', 9, 'noon'), '(rama|ram|sri rama) (navami|navmi)'],
  [lunarDay('Chaitra', 13, 'sunrise'), `(mahavir|mahavira|mahaveer) ${JAYANTI}`],
  [
    lunarDay('Chaitra', 13, 'sunrise'),
    '(mahavir|mahavira|mahaveer) (janma kalyanak|janma kalyanaka)',
  ],
  [either(mesha, monthDay(4, 14)), 'vaisakhi, baisakhi, vasakhi'],
  [shifted(mesha, 25), `(rabindra|rabindranath|rabindranath tagore) ${JAYANTI}`],
  [lunarDay('Vaishakha', 3, 'noon'), 'akshaya tritiya, akha teej'],
  [lunarDay('Ashadha', 2, 'sunrise'), '(rath|ratha) yatra, chariot festival'],
  [lunarDay('Ashadha', 15, 'sunrise'), 'guru purnima'],
  [lunarDay('Shravana', 5, 'sunrise'), 'nag panchami'],
  [lunarDay('Shravana', 15, 'afternoon'), 'raksha bandhan, rakhi'],
  [lunarDay('Shravana', 23, 'midnight'), '(krishna|sri krishna|) (janmashtami|janmastami)'],
  [lunarDay('Shravana', 23, 'midnight'), 'gokulashtami, krishna jayanti, krishnashtami'],
  [lunarDay('Bhadrapada', 4, 'noon'), '(ganesh|ganesha|vinayaka|vinayak) (chaturthi|chavithi)'],
  [lunarDay('Bhadrapada', 14, 'sunrise'), 'anant chaturdashi'],
  [lunarDay('Ashvin', 7, 'sunrise'), 'maha saptami'],
  [lunarDay('Ashvin', 8, 'sunrise'), 'durga ashtami, maha ashtami'],
  [
    lunarDay('Ashvin', 10, 'afternoon'),
    '(vijaya|vijay) (dashami|dasami), vijayadashami, vijayadasami',
  ],
  [lunarDay('Ashvin', 10, 'afternoon'), 'dussehra, dasara, dasera, dussera, dashain'],
  [ashvinFullMoon, 'sharad purnima, pargat diwas, (valmiki|maharishi valmiki) jayanti'],
  [lunarDay('Ashvin', 19, 'evening'), '(karva|karwa) chauth'],
  [lunarDay('Ashvin', 28, 'evening'), 'dhanteras, dhan teras, dhanatrayodashi'],
  [shifted(diwali, -1), 'choti (diwali|divali)'],
  [diwali, 'diwali, divali, lakshmi (puja|pooja), laxmi (puja|pooja)'],
  [either(diwali, lunarDay('Ashvin', 29, 'sunrise')), 'deepavali, dipavali'],
  [lunarDay('Kartika', 1, 'sunrise'), 'govardhan puja, annakut'],
  [lunarDay('Kartika', 2, 'afternoon'), '(bhai|bhau|bhaiya) (dooj|beej|tika), bhaidooj'],
  [
    lunarDay('Kartika', 6, 'evening'),
    'chhath, (chhath|dala|surya) puja, (dala|surya) (chhath|shashthi)',
  ],
  [
    lunarDay('Kartika', 15, 'sunrise'),
    `(guru nanak|guru nanak dev) (${JAYANTI.slice(1, -1)}|gurpurab)`,
  ],
  [monthDay(1, 26), 'republic day of india, indian republic day'],
  [monthDay(4, 14), 'ambedkar jayanti'],
  [monthDay(8, 15), 'independence day of india, indian independence day'],
  [monthDay(10, 2), 'gandhi jayanti, mahatma gandhi birthday'],
  [parsiNewYear, 'parsi new year'],
]

/**
 * The Parsi new year of the Shahanshahi calendar, whose years have 365 days: August 17 in 2018, one
 * day earlier after each February 29.
 */
function parsiNewYear(year: number): ReturnType<Yearly> {
  return monthDay(8, 17)(2018)?.add({ days: 365 * (year - 2018) })
}

/**
 * A day with two rules, each in use.
 * @throws Ambiguous if the rules give different days in a year
 */
function either(one: Yearly, other: Yearly): Yearly {
  return (year) => {
    const [first, second] = [one(year), other(year)]
    if (!first || !second || first.equals(second)) return first ?? second
    throw new Ambiguous(
      `people differ: it can be ${formatDay(first)} or ${formatDay(second)}; ask with the date itself`,
      [first, second],
    )
  }
}
