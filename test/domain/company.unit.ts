import { companyAggregate } from '../../domain/company/decide.js';
import { companyCommandExamples, companyEventExamples } from '../../domain/company/examples.js';
import { given } from '../support/decider.js';

const { registered } = companyEventExamples;
const { command: register } = companyCommandExamples.register;

describe('company', () => {
  it('is registered once', () => {
    given(companyAggregate).when(register).then(registered);
    given(companyAggregate, registered).when(register).thenNothing();
  });

  it('keeps its first name when registered again under another', () => {
    given(companyAggregate, registered)
      .when({ ...register, name: 'Outra' })
      .thenNothing();
  });

  it('has marketing off until it is switched on, and changes what is named only', () => {
    const { marketingChanged } = companyEventExamples;
    given(companyAggregate, registered)
      .when({ type: 'ChangeMarketingSettings', settings: { enabled: false } })
      .thenNothing();
    given(companyAggregate, registered)
      .when({ type: 'ChangeMarketingSettings', settings: { enabled: true } })
      .then(marketingChanged);
    given(companyAggregate, registered, marketingChanged)
      .when({ type: 'ChangeMarketingSettings', settings: { perDay: 5 } })
      .then({ ...marketingChanged, data: { ...marketingChanged.data, per_day: 5 } });
    given(companyAggregate)
      .when({ type: 'ChangeMarketingSettings', settings: { enabled: true } })
      .thenRefused('not_found');
  });

  it('has words of its own, without those that read the same, and changes the list that is named only', () => {
    const words = (stop: string[], resume: string[]) =>
      ({ type: 'OptOutWordsChanged', data: { stop, resume } }) as const;
    const chosen = words(['SAIR', 'Não quero mais'], []);
    given(companyAggregate, registered)
      .when({
        type: 'ChangeOptOutWords',
        words: { stop: [' SAIR ', 'Não quero mais', 'sair!', 'nao QUERO mais'] },
      })
      .then(chosen);
    given(companyAggregate, registered, chosen)
      .when({ type: 'ChangeOptOutWords', words: { resume: ['Voltei'] } })
      .then(words(['SAIR', 'Não quero mais'], ['Voltei']));
    given(companyAggregate, registered, chosen)
      .when({ type: 'ChangeOptOutWords', words: { stop: ['SAIR', 'Não quero mais', 'Sair'] } })
      .thenNothing();
    given(companyAggregate, registered, chosen)
      .when({ type: 'ChangeOptOutWords', words: { stop: [] } })
      .then(words([], []));
    given(companyAggregate)
      .when({ type: 'ChangeOptOutWords', words: { stop: ['SAIR'] } })
      .thenRefused('not_found');
  });

  it('has words that call a person, without those that read the same', () => {
    const { personWordsChanged } = companyEventExamples;
    given(companyAggregate, registered)
      .when({ type: 'ChangePersonWords', words: [' VENDEDOR', 'Chama a Ana', 'vendedor!', 'chama à ana'] })
      .then(personWordsChanged);
    given(companyAggregate, registered, personWordsChanged)
      .when({ type: 'ChangePersonWords', words: ['VENDEDOR', 'Chama a Ana'] })
      .thenNothing();
    given(companyAggregate, registered, personWordsChanged)
      .when({ type: 'ChangePersonWords', words: [] })
      .then({ type: 'PersonWordsChanged', data: { words: [] } });
    given(companyAggregate)
      .when({ type: 'ChangePersonWords', words: ['VENDEDOR'] })
      .thenRefused('not_found');
  });

  it('that is not registered takes no settings', () => {
    for (const { command } of Object.values(companyCommandExamples)) {
      if (command.type === 'RegisterCompany') continue;
      given(companyAggregate).when(command).thenRefused('not_found', { resource: 'company' });
    }
  });
});
