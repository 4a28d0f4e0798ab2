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
});
