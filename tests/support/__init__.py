"""What tests of more than one kind share: real Bazels, laid-out repositories, installed parts."""
