import { Page } from '../pieces/page.tsx'

export const CompareView = () => <Page title="Compare">{null}</Page>
