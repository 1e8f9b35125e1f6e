import { Page } from '../pieces/page.tsx'

export const TimeTravelView = () => <Page title="Time travel">{null}</Page>
