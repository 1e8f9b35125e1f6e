const numbered = (names: string, first: number): ReadonlyMap<string, number> =>
  new Map(
    names
      .split(' ')
      .flatMap((forms, at) => forms.split('|').map((form) => [form, at + first] as const)),
  )

/** Months and their abbreviations, 1 to 12; the last form of each is the full name. */
export const MONTHS: ReadonlyMap<string, number> = numbered(
  'jan|january feb|february mar|march apr|april may jun|june jul|july aug|august sep|sept|september oct|october nov|november dec|december',
  1,
)

/** Days of the week and their abbreviations, 0 for Monday. */
export const WEEKDAYS: ReadonlyMap<string, number> = numbered(
  'mon|monday tue|tues|tuesday wed|weds|wednesday thu|thur|thurs|thursday fri|friday sat|saturday sun|sunday',
  0,
)

/** The holidays that are read, as words. Regional ones are those of the United States, as in the calendar tool. */
export const FEASTS: readonly string[] = [
  'christmas',
  'christmas day',
  'christmas eve',
  'xmas',
  "new year 's day",
  "new year 's eve",
  'new years day',
  'new years eve',
  'easter',
  'easter sunday',
  'easter monday',
  'good friday',
  'palm sunday',
  'ash wednesday',
  'ascension day',
  'pentecost',
  'whit monday',
  'epiphany',
  "all saints ' day",
  'thanksgiving',
  'thanksgiving day',
  'black friday',
  'cyber monday',
  'halloween',
  'juneteenth',
  "valentine 's day",
  "st patrick 's day",
  "mother 's day",
  "father 's day",
  "presidents ' day",
  "president 's day",
  "april fools ' day",
  'labor day',
  'labour day',
  'memorial day',
  'boxing day',
  'independence day',
  'veterans day',
  'columbus day',
  'election day',
  'earth day',
  'may day',
  'groundhog day',
  'leap day',
  'martin luther king day',
  'martin luther king jr day',
  'mlk day',
]
