import { chineseDay, hebrewDay, islamicDay } from './calendar-day.ts'
import { FRIDAY, type Holidays, shifted, weekdayBefore } from './rules.ts'

const EID = '(eid|id)'
const NIGHT = '(laylat|lailat|laylatul|lailatul|shab)'

/** Feasts by Umm al-Qura, the civil calendar of Saudi Arabia. */
export const ISLAMIC: Holidays = [
  [islamicDay(1, 1), '(islamic|muslim|hijri|arabic|arab) new year'],
  [islamicDay(1, 10), 'ashura, ashoora'],
  [islamicDay(1, 10), 'day of (ashura|ashoora)'],
  [islamicDay(3, 12), 'mawlid, mawlid al nabi, milad un nabi, eid milad un nabi, mawlid an nabi'],
  [islamicDay(3, 12), '(prophet|prophet muhammad|prophet mohammed|muhammad) birthday'],
  [islamicDay(7, 27), 'isra and mi raj, isra and miraj, isra wal miraj, isra mi raj, isra miraj'],
  [islamicDay(7, 27), `${NIGHT} (al|e|ul) miraj, ${NIGHT} al mi raj, lailat al miraj`],
  [islamicDay(7, 27), 'night journey, night of ascent, prophet ascension, ascension to heaven'],
  [islamicDay(8, 15), `${NIGHT} (al|e|ul) barat, mid shaban, mid sha ban`],
  [islamicDay(9, 1), '(start|beginning) of (ramadan|ramazan|ramzan)'],
  [islamicDay(9, 1), '(first|1st) day of (ramadan|ramazan|ramzan)'],
  [islamicDay(9, 27), `${NIGHT} (al|ul|e|i) (qadr|qadar|kadr), laylatul (qadr|qadar)`],
  [islamicDay(9, 27), 'night of (power|decree|destiny|value|measures)'],
  [weekdayBefore(islamicDay(10, 1), FRIDAY), '(jumu atul|jumuatul|jumat ul|jamat ul) (wida|vida)'],
  [weekdayBefore(islamicDay(10, 1), FRIDAY), 'jumu ah al wida, last friday of ramadan'],
  [islamicDay(10, 1), `${EID} (al|ul|el) (fitr|fiter|fitar), ${EID} fitr, eidul fitr`],
  [islamicDay(10, 1), 'ramzan (id|eid), ramazan bayram, hari raya puasa, lesser eid, sugar feast'],
  [islamicDay(10, 1), '(feast|festival) of (breaking the fast|breaking of the fast)'],
  [islamicDay(12, 9), 'day of arafah, day of arafat, arafah day, arafat day'],
  [islamicDay(12, 10), `${EID} (al|ul|el) (adha|azha), ${EID} adha, eidul adha`],
  [islamicDay(12, 10), '(bakr|bakri|bakra) (id|eid), bakrid, bakreid, kurban bayram, eid qurban'],
  [islamicDay(12, 10), 'hari raya haji, greater eid, sacrifice feast'],
  [islamicDay(12, 10), '(feast|festival) of (sacrifice|the sacrifice)'],
]

const newYear = chineseDay(1, 1)

export const CHINESE: Holidays = [
  [newYear, 'chinese new year, chinese new years, chinese lunar new year, chinese lunar new years'],
  [newYear, 'lunar new year, lunar new years, chinese spring festival'],
  [shifted(newYear, -1), '(chinese|lunar|chinese lunar) (new year|new years) eve'],
  [chineseDay(1, 15), 'lantern festival, chinese lantern festival'],
  [chineseDay(5, 5), 'dragon boat, dragon boat festival'],
  [chineseDay(7, 7), 'qixi, qixi festival'],
  [chineseDay(7, 15), 'ghost festival, hungry ghost festival'],
  [chineseDay(8, 15), '(mid autumn|moon|mooncake) festival'],
  [chineseDay(9, 9), 'double ninth, double ninth festival'],
]

/** All begin at sunset of the day before. */
export const JEWISH: Holidays = [
  [hebrewDay(1, 1), '(rosh|rosh ha) (hashanah|hashana|hashona|shana|shanah)'],
  [hebrewDay(1, 10), 'yom kippur, day of atonement'],
  [hebrewDay(1, 15), 'sukkot, sukkoth, succot, feast of tabernacles, feast of booths'],
  [hebrewDay(1, 21), 'hoshana (rabbah|raba|rabba)'],
  [hebrewDay(1, 22), '(shemini|shmini) (atzeret|atseret|atzereth)'],
  [hebrewDay(1, 23), '(simchat|simhat|simchas|simchath) torah'],
  [hebrewDay(3, 25), 'hanukkah, chanukah, hanukah, chanukkah, hanukka, hannukah'],
  [hebrewDay(5, 15), 'tu (bishvat|bi shvat|bishevat|b shevat|b shvat)'],
  [hebrewDay(6, 14), 'purim'],
  [hebrewDay(6, 15), 'shushan purim'],
  [hebrewDay(7, 15), 'passover, pesach, pesah'],
  [hebrewDay(8, 18), 'lag (baomer|b omer|ba omer|la omer)'],
  [hebrewDay(9, 6), 'shavuot, shavuoth, shavuos, feast of weeks'],
]
