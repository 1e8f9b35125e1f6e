/** Words of asking or politeness that do not change which date is meant. */
export const QUESTION_WORDS: ReadonlySet<string> = new Set(
  [
    'what which when whats how about tell me give show find calculate compute determine name say',
    'please can could would will do does did is was be are it that the a an and so then of on in at for by',
    'date dates day weekday calendar exact exactly actual fall falls fell falling land lands celebrated',
    'observed held happen happens happened occur occurs take takes took place come comes came',
    'know i ll m d re ve s we you us my our your to go going gone went back leave leaving return',
    'meet meets meeting see call start starts begin begins end ends due arrive arrives schedule book',
    'there event party something anything',
    'returned been get got need want like know let see ok okay hi hello hey thanks thank',
  ]
    .join(' ')
    .split(' '),
)
