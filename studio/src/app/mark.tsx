import mark from './mark.svg'

/** The sign of Echelon: steps that lead up. */
export const Mark = () => <img src={mark} width={26} height={26} alt="" />
