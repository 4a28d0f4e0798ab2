import { companyAggregate, type CompanyCommand } from '../../domain/company/decide.js';
import { companyCommandExamples, companyEventExamples } from '../support/examples/company.js';
import { given } from '../support/decider.js';

const { registered } = companyEventExamples;
const { command: register } = companyCommandExamples.register;

type Command<Type> = Extract<CompanyCommand, { type: Type }>;
const marketing = (settings: Command<'ChangeMarketingSettings'>['settings']) =>
  ({ type: 'ChangeMarketingSettings', settings }) as const;
const optOutWords = (words: Command<'ChangeOptOutWords'>['words']) =>
  ({ type: 'ChangeOptOutWords', words }) as const;
const personWords = (words: readonly string[]) => ({ type: 'ChangePersonWords', words }) as const;
const unregistered = given(companyAggregate);
const company = given(companyAggregate, registered);

describe('company', () => {
  it('is registered once', () => {
    unregistered.when(register).then(registered);
    company.when(register).thenNothing();
  });

  it('keeps its first name when registered again under another', () => {
    company.when({ ...register, name: 'Outra' }).thenNothing();
  });

  it('has marketing off until it is switched on, and changes what is named only', () => {
    const { marketingChanged } = companyEventExamples;
    company.when(marketing({ enabled: false })).thenNothing();
    company.when(marketing({ enabled: true })).then(marketingChanged);
    given(companyAggregate, registered, marketingChanged)
      .when(marketing({ perDay: 5 }))
      .then({ ...marketingChanged, data: { ...marketingChanged.data, per_day: 5 } });
    unregistered.when(marketing({ enabled: true })).thenRefused('not_found');
  });

  it('has words of its own, without those that read the same, and changes the list that is named only', () => {
    const words = (stop: string[], resume: string[]) =>
      ({ type: 'OptOutWordsChanged', data: { stop, resume } }) as const;
    const chosen = words(['SAIR', 'Não quero mais'], []);
    company.when(optOutWords({ stop: [' SAIR ', 'Não quero mais', 'sair!', 'nao QUERO mais'] })).then(chosen);
    given(companyAggregate, registered, chosen)
      .when(optOutWords({ resume: ['Voltei'] }))
      .then(words(['SAIR', 'Não quero mais'], ['Voltei']));
    given(companyAggregate, registered, chosen)
      .when(optOutWords({ stop: ['SAIR', 'Não quero mais', 'Sair'] }))
      .thenNothing();
    given(companyAggregate, registered, chosen)
      .when(optOutWords({ stop: [] }))
      .then(words([], []));
    unregistered.when(optOutWords({ stop: ['SAIR'] })).thenRefused('not_found');
  });

  it('has words that call a person, without those that read the same', () => {
    const { personWordsChanged } = companyEventExamples;
    company
      .when(personWords([' VENDEDOR', 'Chama a Ana', 'vendedor!', 'chama à ana']))
      .then(personWordsChanged);
    given(companyAggregate, registered, personWordsChanged)
      .when(personWords(['VENDEDOR', 'Chama a Ana']))
      .thenNothing();
    given(companyAggregate, registered, personWordsChanged)
      .when(personWords([]))
      .then({ type: 'PersonWordsChanged', data: { words: [] } });
    unregistered.when(personWords(['VENDEDOR'])).thenRefused('not_found');
  });

  it('that is not registered takes no settings', () => {
    for (const { command } of Object.values(companyCommandExamples)) {
      if (command.type === 'RegisterCompany') continue;
      unregistered.when(command).thenRefused('not_found', { resource: 'company' });
    }
  });
});
